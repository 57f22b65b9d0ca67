//! A list that is asked by numbers which this crate gave out itself.

use std::ops::{Index, IndexMut};

/// What lies outside of it is a default and never a panic: a fault in the layout is a crooked picture, and no end of the
/// program that only wanted to show one.
#[derive(Clone, Debug, Default)]
pub(crate) struct List<T> {
    items: Vec<T>,
    outside: T,
}

impl<T: Clone + Default> List<T> {
    pub(crate) fn of(length: usize, item: T) -> Self {
        Self { items: vec![item; length], outside: T::default() }
    }
}

impl<T> List<T> {
    pub(crate) fn push(&mut self, item: T) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<T: Default> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self { items: items.into_iter().collect(), outside: T::default() }
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        self.items.get(number).unwrap_or(&self.outside)
    }
}

impl<T> IndexMut<usize> for List<T> {
    fn index_mut(&mut self, number: usize) -> &mut T {
        self.items.get_mut(number).unwrap_or(&mut self.outside)
    }
}
