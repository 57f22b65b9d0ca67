//! What a router may know beside the state.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::clock::{Clock, Timestamp};
use crate::engine::{CodecError, raw};
use crate::id::{RunId, TurnId};
use crate::usage::Usage;

/// The turn as a router sees it: ids, the step's time, loops taken. The same on every replay.
#[derive(Debug, Clone)]
pub struct Turn {
    pub(crate) id: TurnId,
    pub(crate) run: RunId,
    pub(crate) now: Now,
    pub(crate) steps: u64,
    pub(crate) used: Usage,
    /// Of the frame whose way is looked for.
    pub(crate) taken: Budgets,
    pub(crate) settings: Option<TurnSettings>,
}

#[derive(Debug, Clone)]
pub(crate) enum Now {
    /// The time that the row carries.
    Stored(Timestamp),
    /// No store, no row: read when asked for.
    Read(Arc<dyn Clock>),
}

impl Turn {
    /// The turn `id` at a point in time, with no run around it: to call a router from a unit test.
    ///
    /// ```
    /// use graphwright::{Timestamp, Turn, TurnId};
    /// assert_eq!(Turn::test(TurnId([1; 16]), Timestamp(5)).now(), Timestamp(5));
    /// ```
    #[must_use]
    pub fn test(id: TurnId, now: Timestamp) -> Self {
        Self {
            id,
            run: RunId::default(),
            now: Now::Stored(now),
            steps: 0,
            used: Usage::default(),
            taken: Budgets::default(),
            settings: None,
        }
    }

    /// The same turn when its models have cost so much, for a unit test.
    #[must_use]
    pub fn with_usage(self, used: Usage) -> Self {
        Self { used, ..self }
    }

    /// The same turn begun with these settings, for a unit test.
    ///
    /// # Errors
    /// They cannot be stored.
    pub fn with_settings<T: Serialize + Send + Sync + 'static>(self, settings: T) -> Result<Self, CodecError> {
        Ok(Self { settings: Some(TurnSettings::new(settings)?), ..self })
    }

    /// What the turn was begun with beside its input, by `thread.run_with`, if it is a `T`: the graph's
    /// `#[graph(settings = T)]`. Asked for as anything else it is nothing, and a warning says so. Fixed for the turn, stored with it, and the same in mounted graphs and on every replay.
    ///
    /// ```
    /// use graphwright::{Timestamp, Turn, TurnId};
    /// # #[derive(serde::Serialize)]
    /// struct Limits { revisions: u32 }
    /// let turn = Turn::test(TurnId([1; 16]), Timestamp(5)).with_settings(Limits { revisions: 2 })?;
    /// assert_eq!(turn.settings::<Limits>().map(|limits| limits.revisions), Some(2));
    /// # Ok::<(), graphwright::CodecError>(())
    /// ```
    #[must_use]
    pub fn settings<T: 'static>(&self) -> Option<&T> {
        let settings = self.settings.as_ref()?;
        let found = settings.value.downcast_ref();
        if found.is_none() {
            let asked = std::any::type_name::<T>();
            tracing::warn!(target: "graphwright", asked, given = settings.of, "settings of another type were asked for");
        }
        found
    }

    /// The id that decides what is stale.
    #[must_use]
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The part of the turn that this process drives.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The time committed with the step.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.now {
            Now::Stored(at) => *at,
            Now::Read(clock) => clock.now(),
        }
    }

    /// Steps committed in this turn.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What the models cost in this turn, wherever they were called: in branches and mounted graphs, too, and in attempts
    /// that failed. Committed with the step, so it is the same on every replay.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Draft { text: String }
    /// #[router]
    /// fn too_dear(_: &Draft, turn: &Turn) -> bool {
    ///     turn.usage().tokens() > 20_000
    /// }
    /// # use graphwright::{Timestamp, Turn, TurnId, Usage};
    /// # let turn = Turn::test(TurnId([1; 16]), Timestamp(5)).with_usage(Usage::new(20_000, 1));
    /// assert!(too_dear(&Draft::default(), &turn));
    /// ```
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.used
    }

    /// How often the way with this number used its budget: what `at_most` compares.
    #[doc(hidden)]
    #[must_use]
    pub fn taken(&self, way: u16) -> u32 {
        self.taken.get(usize::from(way))
    }
}

/// What a turn was begun with beside its input: as a value, and as it is stored.
#[derive(Clone)]
pub(crate) struct TurnSettings {
    value: Arc<dyn Any + Send + Sync>,
    /// The name of its type.
    of: &'static str,
    pub(crate) stored: Arc<RawValue>,
}

impl TurnSettings {
    pub(crate) fn new<T: Serialize + Send + Sync + 'static>(value: T) -> Result<Self, CodecError> {
        let stored = raw(&value)?;
        Ok(Self { value: Arc::new(value), of: std::any::type_name::<T>(), stored: stored.into() })
    }

    pub(crate) fn read<T: DeserializeOwned + Send + Sync + 'static>(stored: &RawValue) -> Result<Self, CodecError> {
        let value: T = serde_json::from_str(stored.get()).map_err(|error| CodecError::Unreadable(crate::engine::without_value(&error)))?;
        Ok(Self { value: Arc::new(value), of: std::any::type_name::<T>(), stored: stored.to_owned().into() })
    }
}

impl fmt::Debug for TurnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settings(..)")
    }
}

/// Counters of `at_most`, per activation of a graph and per branch. Nothing is allocated until one of them counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Budgets(Vec<u32>);

impl Budgets {
    pub(crate) fn get(&self, budget: usize) -> u32 {
        self.0.get(budget).copied().unwrap_or(0)
    }

    pub(crate) fn set(&mut self, budget: usize, count: u32) {
        if self.0.len() <= budget {
            self.0.resize(budget + 1, 0);
        }
        if let Some(slot) = self.0.get_mut(budget) {
            *slot = count;
        }
    }

    pub(crate) fn count(&mut self, budget: usize) {
        self.set(budget, self.get(budget).saturating_add(1));
    }
}
