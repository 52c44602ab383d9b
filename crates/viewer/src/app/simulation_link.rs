//! The simulation as the window uses it: not started yet, or running on its thread.

use crate::platform::Platform;
use crate::session::AtWork;
use crate::simulation::{Engine, Order, Simulation, Snapshot};
use std::io;

/// An engine until the window is open, then a simulation; and the orders given to it.
pub(super) struct SimulationLink {
    engine: Option<Engine>,
    simulation: Option<Simulation>,
    /// Orders given so far whose effect a snapshot shows.
    given: u64,
}

impl SimulationLink {
    pub(super) fn new(engine: Engine) -> Self {
        let given = engine.heard();
        Self { engine: Some(engine), simulation: None, given }
    }

    /// Starts the thread, once.
    pub(super) fn start(
        &mut self,
        platform: Platform,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<()> {
        if let Some(engine) = self.engine.take() {
            self.simulation = Some(Simulation::start(engine, platform, wake)?);
        }
        Ok(())
    }

    /// Whether the thread was started.
    pub(super) fn has_started(&self) -> bool {
        self.simulation.is_some()
    }

    /// Ends the simulation after the orders given so far, or after a few seconds.
    #[cfg(test)]
    pub(super) fn end(&mut self) {
        self.simulation = None;
    }

    pub(super) fn order(&mut self, order: Order) {
        if let Some(simulation) = &self.simulation {
            self.given += u64::from(order.is_shown());
            simulation.order(order);
        }
    }

    /// Orders given so far whose effect a snapshot shows.
    pub(super) fn given(&self) -> u64 {
        self.given
    }

    /// Exchanges a snapshot for a newer one. Returns whether there was one.
    pub(super) fn take(&self, snapshot: &mut Box<Snapshot>) -> bool {
        self.simulation.as_ref().is_some_and(|simulation| simulation.take(snapshot))
    }

    /// Whether the thread has ended on its own, which only a defect causes.
    pub(super) fn has_failed(&self) -> bool {
        self.simulation.as_ref().is_some_and(Simulation::has_ended)
    }

    /// What the present step or order is doing; `None` between two of them.
    pub(super) fn at_work(&self) -> Option<AtWork> {
        self.simulation.as_ref()?.at_work()
    }
}
