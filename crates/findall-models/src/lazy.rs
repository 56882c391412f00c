//! Values that are made when they are first asked for, whoever asks first.

use std::sync::{Arc, Mutex, OnceLock};

use crate::error::LoadError;

/// A value made at its first use; unlike a `OnceLock` alone, making it may fail and be tried again.
pub(crate) struct LazyValue<T> {
    value: OnceLock<Arc<T>>,
    making: Mutex<()>,
}

impl<T> LazyValue<T> {
    pub fn new() -> Self {
        Self { value: OnceLock::new(), making: Mutex::new(()) }
    }

    pub fn is_empty(&self) -> bool {
        self.value.get().is_none()
    }

    pub fn get(&self, make: impl FnOnce() -> Result<T, LoadError>) -> Result<Arc<T>, LoadError> {
        if let Some(value) = self.value.get() {
            return Ok(value.clone());
        }
        // Two threads that ask at once must not load the weights twice.
        let _one_at_a_time = self.making.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(value) = self.value.get() {
            return Ok(value.clone());
        }
        let made = Arc::new(make()?);
        Ok(self.value.get_or_init(|| made).clone())
    }
}
