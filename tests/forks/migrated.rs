//! A thread that waits, and another build whose state is another one: a field of another name, one of another type, one that is
//! new. Serde's attributes say how the old one is read, of rows and of snapshots.

use graphwright::Memory;
use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Point, ThreadKey};
use graphwright::{Scope, ThreadId};

macro_rules! signs {
    ($state:ty) => {
        pub struct Sign;

        #[node]
        impl Interrupt<$state, ()> for Sign {
            type Question = String;
            type Answer = bool;

            async fn ask(_: &$state, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
                Ok(Ask::question("Is it right?".to_owned()))
            }

            fn resume(_: &$state, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
                Ok(<$state>::update().signed(matches!(answer, Answer::Accepted(true))))
            }
        }
    };
}

mod old {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
    pub struct Form {
        #[state(append)]
        pub remarks: Vec<String>,
        pub price: u32,
        pub signed: bool,
    }

    #[node]
    async fn fill(form: &Form) -> NodeResult<Form> {
        Ok(Form::update().remarks(["filled".repeat(form.price as usize)]).price(form.price + 1))
    }

    signs!(Form);

    graph! {
        pub Desk(Form) {
            start -> fill -> sign -> end;
            sign: Sign;
        }
    }
}

mod new {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(from = "Stored")]
    pub struct Price {
        pub cents: u64,
    }

    /// It was a number of whole units.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Units(u64),
        Price { cents: u64 },
    }

    impl From<Stored> for Price {
        fn from(stored: Stored) -> Self {
            match stored {
                Stored::Units(units) => Self { cents: units * 100 },
                Stored::Price { cents } => Self { cents },
            }
        }
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
    #[serde(default)]
    pub struct Form {
        #[state(append)]
        #[serde(alias = "remarks")]
        pub notes: Vec<String>,
        pub price: Price,
        pub signed: bool,
        pub currency: String,
    }

    #[node]
    async fn fill(_: &Form) -> NodeResult<Form> {
        Ok(Form::update().notes(["filled"]).price(Price { cents: 1 }))
    }

    #[node]
    async fn convert(form: &Form) -> NodeResult<Form> {
        Ok(Form::update().currency("EUR").price(Price { cents: form.price.cents + 1 }))
    }

    signs!(Form);

    graph! {
        #[graph(version = 2)]
        pub Desk(Form) {
            start -> fill -> sign -> convert -> end;
            sign: Sign;
        }
    }
}

#[tokio::test]
async fn a_thread_of_an_older_state_is_read_answered_and_goes_on() {
    // As rows alone, and with a snapshot before them.
    for (price, is_snapshot) in [(2_u32, false), (5_000, true)] {
        let memory = Memory::new();
        let before = old::Desk::app((), memory.clone()).thread("t");
        let _paused = before.run(old::Form::update().price(price)).await.unwrap().paused().unwrap();
        let key = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("t").unwrap()) };
        let loaded = memory.load(&key, Point::Head).await.unwrap().unwrap();
        assert_eq!(loaded.snapshot.is_some(), is_snapshot);

        let now = new::Desk::app((), memory).thread("t");
        let remark = vec!["filled".repeat(price as usize)];
        let cents = u64::from(price + 1) * 100;
        let form = new::Form { notes: remark.clone(), price: new::Price { cents }, ..new::Form::default() };
        assert_eq!(now.state().await.unwrap(), Some(form.clone()));
        let [Question::<new::Desk>::sign(open)] = &now.pending().await.unwrap()[..] else { panic!("it waits") };
        let done = now.resume(open.accept(true)).await.unwrap().completed().unwrap();
        let wanted = new::Form { price: new::Price { cents: cents + 1 }, signed: true, currency: "EUR".to_owned(), ..form };
        assert_eq!(done.output, wanted);
        assert_eq!(now.state().await.unwrap(), Some(wanted), "rows of both builds are read as one thread");
        // The older build does not guess at what it does not know.
        let refused = before.state().await.unwrap_err();
        assert!(matches!(refused, RunError::GraphChanged { .. }), "{refused}");
    }
}
