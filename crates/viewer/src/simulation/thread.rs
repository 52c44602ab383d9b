//! The simulation on a thread of its own, so that a slow algorithm never holds the window up.
//!
//! An [`Engine`] carries out [`Order`]s and takes steps; a [`Simulation`] runs it on a thread and
//! hands out [`Snapshot`]s. Where there are no threads an engine can be driven by hand.

mod engine;
mod order;
mod snapshot;
mod structure;
mod watch;

pub use engine::Engine;
pub use order::{Notice, Order, Pace};
pub use snapshot::{Picked, Snapshot, Tint};
pub use structure::{
    Curve, Interval, Intervals, MOST_BOXES, MOST_INTERVALS, MOST_POINTS, Regions, Structure,
    TreeBoxes,
};
pub use watch::{ColorBy, Levels, Watch};

use measure::Clock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// An engine on a thread of its own.
pub struct Simulation {
    /// `None` once the simulation is to end.
    messages: Option<Sender<Message>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    clock: &'static dyn Clock,
}

/// What the thread is told.
enum Message {
    Order(Order),
    /// The last snapshot was taken: there is room for a newer one.
    Taken,
}

/// What both threads see.
struct Shared {
    /// Set to leave the search that is going on.
    stop: AtomicBool,
    exchange: Mutex<Exchange>,
    /// When the step that is going on began, by the clock, or [`IDLE`].
    step_began_ns: AtomicU64,
}

/// No step is going on.
const IDLE: u64 = u64::MAX;

/// Two snapshots go to and fro: while one is looked at, the other is filled.
struct Exchange {
    fresh: Option<Box<Snapshot>>,
    spare: Option<Box<Snapshot>>,
}

impl Shared {
    fn exchange(&self) -> std::sync::MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Simulation {
    /// Starts the thread. `wake` is called from it whenever there is a new snapshot.
    ///
    /// # Errors
    ///
    /// Where the system gives no thread.
    pub fn start(
        engine: Engine,
        clock: &'static dyn Clock,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (messages, inbox) = channel();
        let spare = Some(Box::new(Snapshot::of(engine.session(), &Watch::default())));
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            exchange: Mutex::new(Exchange { fresh: None, spare }),
            step_began_ns: AtomicU64::new(IDLE),
        });
        let worker = Worker { engine, inbox, shared: shared.clone(), clock, wake, answer: false };
        let thread = thread::Builder::new().name("simulation".to_owned());
        let thread = thread.spawn(move || worker.run())?;
        Ok(Self { messages: Some(messages), shared, thread: Some(thread), clock })
    }

    /// Hands an order in.
    pub fn order(&self, order: Order) {
        let urgent = order.is_urgent();
        self.send(Message::Order(order));
        // Only after the order is in: whoever stops for it must find it.
        if urgent {
            fence(Ordering::SeqCst);
            self.shared.stop.store(true, Ordering::SeqCst);
        }
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // It fails only where the thread has ended, which `has_ended` tells.
            let _ = messages.send(message);
        }
    }

    /// Exchanges a snapshot for a newer one; says whether there was one.
    pub fn take(&self, snapshot: &mut Box<Snapshot>) -> bool {
        let mut exchange = self.shared.exchange();
        let Some(fresh) = exchange.fresh.take() else {
            return false;
        };
        let mut taken = std::mem::replace(snapshot, fresh);
        taken.notices.clear();
        exchange.spare = Some(taken);
        drop(exchange);
        self.send(Message::Taken);
        true
    }

    /// How long the step that is going on has taken so far.
    pub fn busy_for(&self) -> Option<Duration> {
        let began = self.shared.step_began_ns.load(Ordering::Relaxed);
        let now = self.clock.now_ns();
        (began != IDLE).then(|| Duration::from_nanos(now.saturating_sub(began)))
    }

    /// Whether the thread has ended by itself, which it does only through a defect.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Simulation {
    /// Waits a little for the orders that are in. One that takes longer (placing a million spheres)
    /// ends with the program.
    fn drop(&mut self) {
        self.messages = None;
        self.shared.stop.store(true, Ordering::SeqCst);
        let since = self.clock.now_ns();
        while !self.has_ended() && self.clock.now_ns() - since < MOST_PATIENCE_NS {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// How long a window that is closed waits for its simulation.
const MOST_PATIENCE_NS: u64 = 3_000_000_000;

/// Whoever looks at snapshots must see that there will be none any more.
impl<W: Fn()> Drop for Worker<W> {
    fn drop(&mut self) {
        (self.wake)();
    }
}

/// What runs on the thread.
struct Worker<W: Fn()> {
    engine: Engine,
    inbox: Receiver<Message>,
    shared: Arc<Shared>,
    clock: &'static dyn Clock,
    wake: W,
    /// Somebody waits to see what came of an order.
    answer: bool,
}

impl<W: Fn()> Worker<W> {
    fn run(mut self) {
        while self.obey_all() {
            // Before the next step, which may take long: what was ordered is seen at once.
            self.publish();
            if self.engine.due_in().is_some_and(|wait| wait.is_zero()) {
                let now = self.clock.now_ns();
                self.shared.step_began_ns.store(now, Ordering::Relaxed);
                self.engine.advance(&self.shared.stop);
                self.shared.step_began_ns.store(IDLE, Ordering::Relaxed);
            } else if !self.wait() {
                break;
            }
        }
    }

    /// Carries out all orders that are in; says whether to go on.
    fn obey_all(&mut self) -> bool {
        // Cleared before the orders are looked at: one that comes in from now on sets it again.
        self.shared.stop.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        loop {
            match self.inbox.try_recv() {
                Ok(message) => self.hear(message),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Order(order) => {
                self.answer |= order.is_shown();
                // Placing a great many spheres takes its time too.
                let now = self.clock.now_ns();
                self.shared.step_began_ns.store(now, Ordering::Relaxed);
                self.engine.obey(order);
                self.shared.step_began_ns.store(IDLE, Ordering::Relaxed);
            }
            Message::Taken => {}
        }
    }

    /// Waits until a step is due or a message comes in; says whether to go on.
    fn wait(&mut self) -> bool {
        let received = match self.engine.due_in() {
            Some(wait) => self.inbox.recv_timeout(wait),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(message) => self.hear(message),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    /// Hands a snapshot out, if there is anything new and the last one was taken. One that answers
    /// an order takes the place of the last one.
    fn publish(&mut self) {
        if !self.engine.has_changed() {
            return;
        }
        let mut exchange = self.shared.exchange();
        let untaken = if self.answer { exchange.fresh.take() } else { None };
        let Some(mut snapshot) = untaken.or_else(|| exchange.spare.take()) else {
            return;
        };
        drop(exchange);
        self.answer = false;
        self.engine.snapshot(&mut snapshot);
        self.shared.exchange().fresh = Some(snapshot);
        (self.wake)();
    }
}
