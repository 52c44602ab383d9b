//! The thread of the simulation, and the exchange of orders and snapshots with it.

use super::engine::Engine;
use super::order::{Order, Traits};
use super::snapshot::Snapshot;
use crate::platform::Platform;
use crate::session::{Activity, AtWork};
use crate::view::View;
use measure::Clock;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A way to another step that takes longer is stopped for the next one.
const MAX_JUMP: Duration = Duration::from_secs(1);

/// An engine, which gets a thread of its own once the window is open; and the orders to it.
pub struct Simulation {
    /// Engine and inbox of the thread, until it starts.
    waiting: Option<(Engine, Receiver<Message>)>,
    /// The same without a thread.
    here: Option<Worker>,
    /// `None` once the thread is to end.
    messages: Option<Sender<Message>>,
    shared: Arc<Shared>,
    clock: &'static dyn Clock,
    /// Orders sent so far whose effect a snapshot shows.
    orders_sent: u64,
}

/// A message to the thread.
enum Message {
    Order(Order),
    /// The last snapshot was taken, so that a newer one can be filled.
    Taken,
}

/// State shared by both threads.
struct Shared {
    exchange: Mutex<Exchange>,
    /// The session's present work, which it stops.
    activity: Arc<Activity>,
    /// Set when the thread ends.
    ended: AtomicBool,
}

/// Two snapshots alternate: while one is displayed, the other is filled.
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
    /// Longest wait, in ns, of an ending window for its simulation.
    pub(crate) const MAX_PATIENCE_NS: u64 = 3_000_000_000;

    /// An engine without a thread yet.
    pub fn new(engine: Engine, clock: &'static dyn Clock) -> Self {
        let (messages, inbox) = channel();
        let spare = Some(Box::new(Snapshot::of(engine.session(), &View::default())));
        let shared = Arc::new(Shared {
            exchange: Mutex::new(Exchange { fresh: None, spare }),
            activity: engine.session().activity().clone(),
            ended: AtomicBool::new(false),
        });
        let orders_sent = engine.state().orders_done;
        let (waiting, messages) = (Some((engine, inbox)), Some(messages));
        Self { waiting, here: None, messages, shared, clock, orders_sent }
    }

    /// Starts the thread, once. It calls `wake` whenever there is a new snapshot.
    ///
    /// # Errors
    ///
    /// If the system creates no thread.
    pub fn start(
        &mut self,
        platform: Platform,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<()> {
        let Some(worker) = self.worker(wake) else { return Ok(()) };
        platform.threads.spawn("simulation", Box::new(move || worker.run()))
    }

    /// Starts without a thread, once: only [`work`](Self::work) takes steps.
    pub fn start_here(&mut self) {
        self.here = self.worker(|| ());
    }

    fn worker(&mut self, wake: impl Fn() + Send + 'static) -> Option<Worker> {
        let (engine, inbox) = self.waiting.take()?;
        let (shared, wake) = (self.shared.clone(), Box::new(wake));
        Some(Worker { engine, inbox, shared, wake, shows_order: false })
    }

    /// Without a thread, carries out orders and takes the steps that are due, until the clock shows `until_ns`; at least one.
    /// Returns how long until the next step is due; `None` while the motion is stopped, and with a thread.
    pub fn work(&mut self, until_ns: u64) -> Option<Duration> {
        let worker = self.here.as_mut()?;
        while worker.obey_all() && worker.take_due_step() && self.clock.now_ns() < until_ns {}
        worker.publish();
        worker.engine.due_in()
    }

    /// Whether the thread was started.
    pub fn has_started(&self) -> bool {
        self.waiting.is_none()
    }

    /// Sends an order.
    pub fn order(&mut self, order: Order) {
        let Traits { is_urgent, is_shown, needs_step, replaces_objects, .. } = order.traits();
        self.orders_sent += u64::from(is_shown);
        // A drag along the scrubber orders steps faster than they can be shown: their ways are gone to the end.
        let is_late = self.at_work().is_some_and(|work| work.busy_for >= MAX_JUMP);
        let needs_jump = needs_step || (!is_late && matches!(order, Order::GoTo(_)));
        if replaces_objects {
            self.shared.activity.announce_input();
        }
        self.send(Message::Order(order));
        // After sending: work that stops for the order must find it in the channel.
        fence(Ordering::SeqCst);
        if is_urgent && !(needs_jump && self.shared.activity.jumps()) {
            self.shared.activity.stop();
        }
    }

    /// Orders sent so far whose effect a snapshot shows.
    pub fn orders_sent(&self) -> u64 {
        self.orders_sent
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // It fails only if the thread has ended, which `has_failed` reports.
            let _ = messages.send(message);
        }
    }

    /// Exchanges a snapshot for a newer one. Returns whether there was one.
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

    /// The present step or order; `None` between two of them.
    pub fn at_work(&self) -> Option<AtWork> {
        self.shared.activity.at_work()
    }

    /// Whether the thread has ended on its own, which only a defect causes.
    pub fn has_failed(&self) -> bool {
        self.shared.ended.load(Ordering::SeqCst)
    }

    /// Ends the thread after the orders sent so far, for which it waits a few seconds. A longer one ends with the program.
    pub(crate) fn end(&mut self) {
        if self.messages.take().is_none() {
            return;
        }
        // No object is placed for a window that is closed.
        self.shared.activity.announce_input();
        self.shared.activity.stop();
        let since = self.clock.now_ns();
        let is_late = || self.clock.now_ns() - since >= Self::MAX_PATIENCE_NS;
        while self.has_started() && !self.has_failed() && !is_late() {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        self.end();
    }
}

/// Wakes the window when the thread ends, so that it sees that there are no more snapshots.
impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        (self.wake)();
    }
}

/// The engine and its connections.
struct Worker {
    engine: Engine,
    inbox: Receiver<Message>,
    shared: Arc<Shared>,
    wake: Box<dyn Fn() + Send>,
    /// The next snapshot shows the effect of an order, and replaces one that was not taken.
    shows_order: bool,
}

impl Worker {
    fn run(mut self) {
        while self.obey_all() {
            // Before the next step, which may take long: the effect of an order is seen at once.
            self.publish();
            if !self.take_due_step() && !self.wait() {
                break;
            }
        }
    }

    /// Returns whether a step was due.
    fn take_due_step(&mut self) -> bool {
        let is_due = self.engine.due_in().is_some_and(|wait| wait.is_zero());
        if is_due {
            self.shared.activity.begin();
            self.engine.advance();
            self.shared.activity.end();
        }
        is_due
    }

    /// Carries out all waiting orders. Returns whether to go on.
    fn obey_all(&mut self) -> bool {
        // Cleared before the channel is read: an order sent from now on sets it again.
        self.shared.activity.go_on();
        fence(Ordering::SeqCst);
        let is_jump = |message: &Message| matches!(message, Message::Order(Order::GoTo(_)));
        let mut received = self.inbox.try_recv();
        loop {
            match received {
                Ok(message) => {
                    received = self.inbox.try_recv();
                    // A drag along the scrubber orders steps faster than they can be shown.
                    if is_jump(&message) && received.as_ref().is_ok_and(is_jump) {
                        self.shows_order = true;
                        self.engine.skip_order();
                    } else {
                        self.receive(message);
                    }
                }
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Order(order) => {
                let traits = order.traits();
                self.shows_order |= traits.is_shown;
                if traits.replaces_objects {
                    self.shared.activity.receive_input();
                }
                // An order may take long too, such as placing many spheres.
                self.shared.activity.begin();
                self.engine.obey(order);
                self.shared.activity.end();
            }
            Message::Taken => {}
        }
    }

    /// Waits until a step is due or a message arrives. Returns whether to go on.
    fn wait(&mut self) -> bool {
        let received = match self.engine.due_in() {
            Some(wait) => self.inbox.recv_timeout(wait),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(message) => self.receive(message),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    /// Publishes a snapshot if something changed and the last one was taken. A snapshot that shows
    /// the effect of an order replaces one that was not taken.
    fn publish(&mut self) {
        if !self.engine.has_changed() {
            return;
        }
        let mut exchange = self.shared.exchange();
        let untaken = if self.shows_order { exchange.fresh.take() } else { None };
        let Some(mut snapshot) = untaken.or_else(|| exchange.spare.take()) else {
            return;
        };
        drop(exchange);
        self.shows_order = false;
        self.engine.snapshot(&mut snapshot);
        self.shared.exchange().fresh = Some(snapshot);
        (self.wake)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;
    use crate::session::Session;
    use sim::{Scene, scene::Radius};

    fn stopped() -> (&'static Double, Simulation) {
        let double = Double::leaked();
        let scene = Scene { radius: Radius::Equal(0.1), objects: 5, ..Scene::default() };
        let bsp = broadphase::registry::find("bsp").unwrap();
        let session = Session::new("test", &scene, bsp, double, None).unwrap();
        (double, Simulation::new(Engine::new(session, double.platform(), false), double))
    }

    #[test]
    fn work_without_a_thread_takes_the_due_steps_that_its_time_allows() {
        let (double, mut simulation) = stopped();
        assert_eq!(simulation.work(u64::MAX), None, "not started");
        let spare = simulation.shared.exchange().spare.take().unwrap();
        let mut snapshot = spare.clone();
        simulation.shared.exchange().spare = Some(spare);
        simulation.start_here();
        simulation.order(Order::GoTo(3));
        let mut steps = Vec::new();
        while simulation.work(0) == Some(Duration::ZERO) && steps.len() < 9 {
            assert!(simulation.take(&mut snapshot));
            steps.push(snapshot.motion.steps);
        }
        assert_eq!(steps, [1, 2], "one step a call, and the last one leaves none that is due");
        simulation.order(Order::GoTo(40));
        assert_eq!(simulation.work(double.now_ns() + 1_000_000_000_000), None);
        assert!(simulation.take(&mut snapshot) && !simulation.has_failed());
        assert_eq!(snapshot.motion.steps, 40);
    }

    #[test]
    fn way_to_a_step_is_stopped_for_a_click_and_after_a_second_for_another_step() {
        let (double, mut simulation) = stopped();
        let mut worker = simulation.worker(|| ()).unwrap();
        simulation.order(Order::GoTo(9));
        assert!(worker.obey_all());
        while worker.engine.due_in().is_some() {
            worker.engine.advance();
        }
        worker.shared.activity.begin();
        worker.shared.activity.set_jumps(true);
        // A drag along the scrubber sends steps faster than they can be shown.
        for (wait, order, is_stopped) in [
            (Duration::ZERO, Order::Step, false),
            (Duration::ZERO, Order::GoTo(4), false),
            (MAX_JUMP, Order::Step, false),
            (Duration::ZERO, Order::GoTo(4), true),
            (Duration::ZERO, Order::Run(false), true),
        ] {
            double.now_ns.fetch_add(wait.as_nanos() as u64, Ordering::SeqCst);
            simulation.order(order.clone());
            let stops = worker.shared.activity.go_on();
            assert_eq!(stops, is_stopped, "{order:?} after {wait:?}");
        }
        worker.shared.activity.set_jumps(false);
        simulation.order(Order::Step);
        // The thread's half: the step before is still shown, and the way is begun again.
        worker.receive(Message::Order(Order::GoTo(4)));
        assert_eq!(
            (worker.engine.session().steps(), worker.engine.due_in()),
            (9, Some(Duration::ZERO))
        );
        assert!(worker.shared.activity.go_on(), "a search is stopped for each of them");
        worker.engine.advance();
        assert_eq!(worker.engine.session().steps(), 4);
    }
}
