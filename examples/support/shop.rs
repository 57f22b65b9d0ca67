//! The shop: orders and policies out of CSV files, and a ledger of refunds that no crash can double.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use graphwright::BoxError;
use graphwright::agent::{JsonSchema, schemars};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// An amount of money in euro cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Cents(pub u64);

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "€{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// Why a customer wants the money back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It arrived damaged, or it does not work.
    Broken,
    /// Something else arrived.
    WrongItem,
    /// It is no longer wanted.
    ChangedMind,
}

/// One line of `orders.csv`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    pub order: String,
    pub customer: String,
    pub product: String,
    pub category: String,
    pub quantity: u32,
    pub unit_cents: Cents,
    pub ordered: String,
    pub status: Status,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Shipped,
    Delivered,
    Cancelled,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shipped => "on its way",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        })
    }
}

/// One line of `policies.csv`: what is paid back for goods of a category.
#[derive(Debug, Deserialize)]
struct Policy {
    category: String,
    reason: Reason,
    percent: u64,
    rule: String,
}

/// What the shop would pay back, and the rule it follows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Quote {
    pub order: String,
    pub cents: Cents,
    pub rule: String,
}

/// One refund in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub order: String,
    pub reason: Reason,
    pub cents: Cents,
    /// The same on every attempt of the same refund.
    pub key: String,
}

/// What the shop refuses.
#[derive(Debug, thiserror::Error)]
pub enum ShopError {
    #[error("there is no order {0}")]
    NoSuchOrder(String),
    #[error("order {order} is {status}: only what was delivered is paid back")]
    NotDelivered { order: String, status: Status },
    #[error("there is no rule for {0}")]
    NoRule(String),
    #[error("{asked} was asked for, but the rule gives {allowed}")]
    TooMuch { asked: Cents, allowed: Cents },
    #[error("order {0} was paid back before")]
    PaidBefore(String),
    #[error("the ledger cannot be written: {0}")]
    Ledger(#[from] io::Error),
}

/// Orders, policies, and the folder with one receipt per order that was paid back.
#[derive(Debug)]
pub struct Shop {
    orders: Vec<Order>,
    policies: Vec<Policy>,
    ledger: PathBuf,
}

impl Shop {
    /// Reads `orders.csv` and `policies.csv` in `data`; receipts go into `ledger`.
    pub fn open(data: &Path, ledger: PathBuf) -> Result<Self, BoxError> {
        fs::create_dir_all(&ledger)?;
        Ok(Self { orders: read(&data.join("orders.csv"))?, policies: read(&data.join("policies.csv"))?, ledger })
    }

    /// The orders that fit the words best: by number, or by the most words of product and customer.
    pub fn find(&self, words: &str) -> Vec<&Order> {
        let words: Vec<String> = words_of(words).collect();
        let hits = |order: &Order| {
            let number = usize::from(words.contains(&order.order.to_lowercase())) * 100;
            let text = format!("{} {}", order.product, order.customer);
            number + words_of(&text).filter(|word| words.iter().any(|said| same_word(said, word))).count()
        };
        let best = self.orders.iter().map(hits).max().unwrap_or(0);
        self.orders.iter().filter(|order| best > 0 && hits(order) == best).collect()
    }

    /// What would be paid back for an order.
    pub fn quote(&self, number: &str, reason: Reason) -> Result<Quote, ShopError> {
        let order = self.orders.iter().find(|order| order.order.eq_ignore_ascii_case(number));
        let order = order.ok_or_else(|| ShopError::NoSuchOrder(number.to_owned()))?;
        if order.status != Status::Delivered {
            return Err(ShopError::NotDelivered { order: order.order.clone(), status: order.status });
        }
        let policy = self.policies.iter().find(|policy| policy.category == order.category && policy.reason == reason);
        let policy = policy.ok_or_else(|| ShopError::NoRule(order.category.clone()))?;
        let cents = Cents(order.unit_cents.0 * u64::from(order.quantity) * policy.percent / 100);
        Ok(Quote { order: order.order.clone(), cents, rule: policy.rule.clone() })
    }

    /// Pays an order back, once: a second attempt with the same key gets the first one's receipt.
    pub fn refund(&self, number: &str, reason: Reason, cents: Cents, key: &str) -> Result<Receipt, ShopError> {
        let quote = self.quote(number, reason)?;
        if cents > quote.cents {
            return Err(ShopError::TooMuch { asked: cents, allowed: quote.cents });
        }
        let receipt = Receipt { order: quote.order, reason, cents, key: key.to_owned() };
        let written = self.write_once(&receipt)?;
        if written.key == receipt.key { Ok(written) } else { Err(ShopError::PaidBefore(receipt.order)) }
    }

    /// The receipt in the ledger: this one, or the one that was there. A link to a finished file is made in one piece or
    /// not at all, and never over another, whoever else tries at the same time.
    fn write_once(&self, receipt: &Receipt) -> Result<Receipt, ShopError> {
        let place = self.ledger.join(format!("{}.json", receipt.order));
        let draft = self.ledger.join(format!(".{}-{}", receipt.order, receipt.key));
        let mut file = File::create(&draft)?;
        serde_json::to_writer(&file, receipt).map_err(io::Error::from)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        let linked = fs::hard_link(&draft, &place);
        fs::remove_file(&draft)?;
        match linked {
            Ok(()) => Ok(receipt.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(serde_json::from_slice(&fs::read(&place)?).map_err(io::Error::from)?)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BoxError> {
    let named = |error: csv::Error| format!("{}: {error}", path.display());
    let rows: Result<_, _> = csv::Reader::from_path(path).map_err(named)?.into_deserialize().collect();
    Ok(rows.map_err(named)?)
}

/// The words of a text in small letters; an order number is one word.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.len() > 2).map(str::to_lowercase)
}

/// `mugs` and `mug` are the same to a customer.
fn same_word(said: &str, word: &str) -> bool {
    said.strip_suffix('s').unwrap_or(said) == word.strip_suffix('s').unwrap_or(word)
}
