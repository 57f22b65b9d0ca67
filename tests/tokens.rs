//! What is not the token that was issued is refused, bit by bit.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use graphwright::{Claims, KeyError, KeyRing, QuestionId, ScopeHash, Timestamp, Token, TokenError};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const SECRET: &[u8; 32] = b"a secret of thirty-two bytes: 01";
const OTHER: &[u8; 32] = b"a secret of thirty-two bytes: 02";
const NOW: Timestamp = Timestamp(1_700_000_000_000_000);

fn keys() -> KeyRing {
    KeyRing::new(7, SECRET).unwrap()
}

/// Claims that differ in every field from those of another `n`.
fn claims(n: u64) -> Claims {
    let byte = u8::try_from(n % 251).unwrap();
    Claims {
        uid: n,
        question: QuestionId(std::array::from_fn(|i| byte ^ u8::try_from(i).unwrap())),
        generation: u32::try_from(n % 5).unwrap(),
        scope: ScopeHash([byte; 32]),
        graph: Claims::graph_hash("Refunds"),
        digest: [byte.wrapping_mul(3); 32],
        issued: NOW,
        expires: n.is_multiple_of(2).then(|| Timestamp(NOW.0 + i64::try_from(n).unwrap())),
    }
}

/// The claims that a verifier believes, if it believes any.
type Verifier = dyn Fn(&[u8]) -> Option<Claims>;

fn ours(text: &[u8]) -> Option<Claims> {
    keys().verify(&Token::new(std::str::from_utf8(text).ok()?), NOW).ok()
}

/// Every single bit of every token flipped: how many mutants there were, and how many were believed.
fn flip_bits(tokens: u64, verifier: &Verifier) -> (usize, usize) {
    let keys = keys();
    let (mut mutants, mut believed) = (0, 0);
    for n in 0..tokens {
        let token = keys.sign(&claims(n));
        let mut text = token.as_str().as_bytes().to_vec();
        assert_eq!(verifier(&text), Some(claims(n)), "the token itself is believed");
        for bit in 0..text.len() * 8 {
            text[bit / 8] ^= 1 << (bit % 8);
            mutants += 1;
            believed += usize::from(verifier(&text).is_some());
            text[bit / 8] ^= 1 << (bit % 8);
        }
    }
    (mutants, believed)
}

#[test]
fn a_flipped_bit_is_never_believed() {
    let keys = keys();
    let verifier = move |text: &[u8]| keys.verify(&Token::new(std::str::from_utf8(text).ok()?), NOW).ok();
    let (mutants, believed) = flip_bits(1_000, &verifier);
    assert!(mutants > 1_500_000, "only {mutants} mutants");
    assert_eq!(believed, 0);
}

#[test]
fn a_verifier_that_ignores_the_mac_is_caught() {
    // It takes whatever claims it can read, and signs them itself.
    fn ignores_the_mac(text: &[u8]) -> Option<Claims> {
        let text = std::str::from_utf8(text).ok()?;
        let parts: Vec<&str> = text.split('.').collect();
        let ["v1", "7", body, mac] = parts[..] else { return None };
        (mac.len() == 43).then_some(())?;
        let body = decode(body)?;
        ours(signed(SECRET, b"graphwright pause token v1", 7, &body).as_bytes())
    }
    let (mutants, believed) = flip_bits(3, &ignores_the_mac);
    assert!(mutants > 1_000);
    assert!(believed > 1_000, "only {believed} of {mutants} were believed");
}

#[test]
fn what_is_shorter_or_longer_is_refused() {
    let token = keys().sign(&claims(4));
    let text = token.as_str();
    for len in 0..text.len() {
        assert_eq!(ours(&text.as_bytes()[..len]), None, "the first {len} bytes");
        assert_eq!(ours(&text.as_bytes()[len + 1..]), None, "without the first {len} bytes and one more");
    }
    for more in ["A", "=", "==", ".", ".A", " ", "\n", "\0", "%00", text] {
        assert_eq!(ours(format!("{text}{more}").as_bytes()), None, "{more:?} behind it");
        assert_eq!(ours(format!("{more}{text}").as_bytes()), None, "{more:?} before it");
    }
}

#[test]
fn what_is_no_token_is_refused() {
    let text = keys().sign(&claims(4)).as_str().to_owned();
    let parts: Vec<&str> = text.split('.').collect();
    let with = |version: &str, id: &str| format!("{version}.{id}.{}.{}", parts[2], parts[3]);
    let texts = [
        String::new(),
        ".".repeat(3),
        "v1.7..".to_owned(),
        format!("v1.7..{}", parts[3]),
        format!("v1.7.{}.", parts[2]),
        // A JSON web token, signed or not.
        "eyJhbGciOiJIUzI1NiJ9.eyJ1aWQiOjR9.c2lnbmF0dXJlIHdpdGggdGhpcnR5LXR3byBieXRlcyE".to_owned(),
        "eyJhbGciOiJub25lIn0.eyJ1aWQiOjR9.".to_owned(),
        // Other versions, other keys, other spellings of this key.
        with("v2", "7"),
        with("V1", "7"),
        with("", "7"),
        with("v1", "8"),
        with("v1", "07"),
        with("v1", "+7"),
        with("v1", "263"),
        with("v1", "-249"),
        with("v1", "7/../7"),
        with("v1", ""),
        // Parts changed for each other, left out, once too often.
        format!("v1.7.{}.{}", parts[3], parts[2]),
        format!("v1.7.{}", parts[2]),
        format!("{text}.{}", parts[3]),
        // The other alphabet and padding of base64.
        format!("v1.7.{}=.{}=", parts[2], parts[3]),
        text.replace(['-', '_'], "+"),
        "ü".repeat(80),
        text.replace('v', "ⅴ"),
        text.to_uppercase(),
        "A".repeat(1_025),
        "A".repeat(10_000_000),
    ];
    for other in texts.iter().filter(|other| **other != text) {
        let refused = keys().verify(&Token::new(other.as_str()), NOW);
        assert!(matches!(refused, Err(TokenError::Invalid)), "{:?}: {refused:?}", other.get(..100).unwrap_or(other));
    }
    assert_eq!(ours(text.as_bytes()), Some(claims(4)));
}

#[test]
fn what_is_signed_otherwise_is_refused() {
    let text = keys().sign(&claims(4)).as_str().to_owned();
    let body = decode(text.split('.').nth(2).unwrap()).unwrap();
    let domain = b"graphwright pause token v1";
    // The helper signs as the ring does, so that what follows is refused for the reason named and no other.
    assert_eq!(signed(SECRET, domain, 7, &body), text);
    assert_eq!(ours(signed(OTHER, domain, 7, &body).as_bytes()), None, "another key");
    assert_eq!(ours(signed(SECRET, b"session cookie v1", 7, &body).as_bytes()), None, "another purpose");
    assert_eq!(ours(signed(SECRET, b"", 7, &body).as_bytes()), None, "no purpose");
    let moved = signed(SECRET, domain, 8, &body).replace("v1.8.", "v1.7.");
    assert_eq!(ours(moved.as_bytes()), None, "the same key by another id");
}

/// Case 17 wanted defaults for claims that are missing; a default is what nobody signed.
#[test]
fn b017_what_a_token_does_not_say_it_does_not_allow() {
    let text = keys().sign(&claims(4)).as_str().to_owned();
    let body = decode(text.split('.').nth(2).unwrap()).unwrap();
    let domain = b"graphwright pause token v1";
    assert!(ours(signed(SECRET, domain, 7, &body).as_bytes()).is_some());
    let flag = body.len() - 9;
    let longer = [&body[..], &[0]].concat();
    let mut neither = body.clone();
    neither[flag] = 2;
    let mut set_and_not_there = body.clone();
    set_and_not_there[flag] = 0;
    for (name, body) in [
        ("a byte more", longer),
        ("a byte less", body[..body.len() - 1].to_vec()),
        ("no end at all", body[..flag].to_vec()),
        ("an end that is neither there nor not", neither),
        ("an end that is not there, and set", set_and_not_there),
        ("JSON", br#"{"uid":4}"#.to_vec()),
    ] {
        assert_eq!(ours(signed(SECRET, domain, 7, &body).as_bytes()), None, "{name}, well signed");
    }
}

#[test]
fn one_stored_row_is_one_token_in_every_process() {
    let token = keys().sign(&claims(4));
    assert_eq!(token, KeyRing::new(7, SECRET).unwrap().sign(&claims(4)));
    // Golden: a deploy of another version must not void what is open.
    assert_eq!(token.as_str(), GOLDEN);
}

#[test]
fn each_claim_is_bound() {
    let token = keys().sign(&claims(4));
    let said = ours(token.as_str().as_bytes()).unwrap();
    assert_eq!(said, claims(4));
    let others = [
        Claims { uid: 5, ..claims(4) },
        Claims { question: QuestionId([9; 16]), ..claims(4) },
        Claims { generation: 1, ..claims(4) },
        Claims { scope: ScopeHash([9; 32]), ..claims(4) },
        Claims { graph: Claims::graph_hash("Refund"), ..claims(4) },
        Claims { digest: [9; 32], ..claims(4) },
        Claims { issued: Timestamp(0), ..claims(4) },
        Claims { expires: None, ..claims(4) },
        Claims { expires: Some(Timestamp(NOW.0 + 5)), ..claims(4) },
    ];
    let mut texts: Vec<String> = others.iter().map(|claims| keys().sign(claims).as_str().to_owned()).collect();
    texts.push(token.as_str().to_owned());
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), others.len() + 1);
    // What is signed for one is not taken for the other.
    let body_of = |text: &str| text.split('.').nth(2).unwrap().to_owned();
    let mac = token.as_str().split('.').nth(3).unwrap();
    for other in texts.iter().filter(|text| text.as_str() != token.as_str()) {
        assert_eq!(ours(format!("v1.7.{}.{mac}", body_of(other)).as_bytes()), None);
    }
}

#[test]
fn b057_expired_and_forged_can_be_told_apart() {
    let claims = claims(4);
    let token = keys().sign(&claims);
    let late = Timestamp(NOW.0 + 5);
    // Well signed, so it is believed; only then is it late.
    let said = keys().verify(&token, late).unwrap();
    let expired = said.check_time(late).unwrap_err();
    assert!(matches!(expired, TokenError::Expired { setting: "expires(..)" }));
    assert_eq!(expired.status(), 410);
    assert!(said.check_time(claims.expires.unwrap()).is_ok());

    let mut forged = token.as_str().as_bytes().to_vec();
    forged[20] ^= 1;
    let forged = keys().verify(&Token::new(String::from_utf8(forged).unwrap()), late).unwrap_err();
    assert!(matches!(forged, TokenError::Invalid));
    assert_eq!(forged.status(), 401);
}

#[test]
fn b058_another_tenant_is_forbidden() {
    use graphwright::Scope;
    let scopes = [
        Scope::root(),
        Scope::new(["a", "b:c"]).unwrap(),
        Scope::new(["a:b", "c"]).unwrap(),
        Scope::new(["_"]).unwrap(),
        Scope::new(["org", "brand", "conv1"]).unwrap(),
        Scope::new(["org", "brand", "conv2"]).unwrap(),
        Scope::new(["org", "brand"]).unwrap(),
    ];
    for mine in &scopes {
        let token = keys().sign(&Claims { scope: mine.hash(), ..claims(4) });
        let said = keys().verify(&token, NOW).unwrap();
        for other in &scopes {
            let checked = said.check_scope(other.hash());
            assert_eq!(checked.is_ok(), mine == other, "{mine:?} and {other:?}");
            if let Err(error) = checked {
                assert_eq!(error.status(), 403);
            }
        }
    }
}

#[test]
fn a_token_is_for_one_graph_by_name() {
    let said = keys().verify(&keys().sign(&claims(4)), NOW).unwrap();
    assert!(said.check_graph("Refunds").is_ok());
    assert!(matches!(said.check_graph("Refund"), Err(TokenError::Invalid)));
}

#[test]
fn b063_there_is_no_key_by_default_and_no_weak_one() {
    for bytes in [0, 1, 16, 31] {
        let refused = KeyRing::new(1, vec![7; bytes]).unwrap_err();
        assert_eq!(refused, KeyError::TooShort { id: 1, bytes });
        assert!(refused.to_string().contains("at least 32 random ones"), "{refused}");
        assert_eq!(keys().verify_also(1, vec![7; bytes], None).unwrap_err(), KeyError::TooShort { id: 1, bytes });
    }
    assert!(KeyRing::new(1, vec![7; 32]).is_ok());
    assert!(KeyRing::new(1, vec![7; 1_000]).is_ok());
    assert_eq!(keys().verify_also(7, OTHER, None).unwrap_err(), KeyError::Twice { id: 7 });
}

#[test]
fn keys_rotate() {
    let before = keys();
    let retires = Timestamp(NOW.0 + 10);
    let during = KeyRing::new(8, OTHER).unwrap().verify_also(7, SECRET, Some(retires)).unwrap();
    let after = KeyRing::new(8, OTHER).unwrap();
    let (old, new) = (before.sign(&claims(4)), during.sign(&claims(4)));
    assert!(old.as_str().starts_with("v1.7.") && new.as_str().starts_with("v1.8."));

    assert_eq!(during.verify(&old, NOW).unwrap(), claims(4));
    assert_eq!(during.verify(&old, retires).unwrap(), claims(4));
    assert!(matches!(during.verify(&old, Timestamp(retires.0 + 1)), Err(TokenError::Invalid)));
    assert!(matches!(after.verify(&old, NOW), Err(TokenError::Invalid)));
    for ring in [&during, &after] {
        assert_eq!(ring.verify(&new, Timestamp(i64::MAX)).unwrap(), claims(4));
    }
    assert!(matches!(before.verify(&new, NOW), Err(TokenError::Invalid)));
}

#[test]
fn keys_and_tokens_are_not_shown() {
    let ring = KeyRing::new(8, OTHER).unwrap().verify_also(7, SECRET, None).unwrap();
    let shown = format!("{ring:?} {ring:#?} {:?}", ring.sign(&claims(4)));
    assert!(shown.starts_with("KeyRing { signs: 8, verifies_also: [7], .. }"), "{shown}");
    assert!(shown.ends_with(" Token(..)"), "{shown}");
    for secret in [OTHER, SECRET] {
        let text = std::str::from_utf8(secret).unwrap();
        let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let list = format!("{secret:?}");
        assert!([text, hex.as_str(), list.as_str()].iter().all(|told| !shown.contains(told)));
    }
}

/// What the ring writes, written a second time here: so that tests can sign what the ring would not.
fn signed(secret: &[u8], domain: &[u8], id: u8, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    mac.update(domain);
    mac.update(&[id]);
    mac.update(body);
    format!("v1.{id}.{}.{}", encode(body), encode(&mac.finalize().into_bytes()))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().enumerate().fold(0_u32, |bits, (n, byte)| bits | u32::from(*byte) << (16 - 8 * n));
        for n in 0..=three.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * n) & 63) as usize]));
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for (n, digit) in four.iter().enumerate() {
            let value = ALPHABET.iter().position(|known| known == digit)?;
            bits |= u32::try_from(value).unwrap() << (18 - 6 * n);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    Some(bytes)
}

const GOLDEN: &str = "v1.7.AAAAAAAAAAQEBQYHAAECAwwNDg8ICQoLAAAABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELwScM3D9YNrcK8d1ZvHCbEX7ypt99slDsdFM_yytLM4MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAAGCiQYHkAAAQAGCiQYHkAE.pFdKHjrJh5qjSJOmoQE5FDhQrKaUdE29HchNWSl0BgA";
