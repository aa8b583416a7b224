//! rayon and tokio behind harness.h; the program counts dependences itself. One of the two features is on.
#![allow(non_upper_case_globals)]
use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::Instant;

#[repr(C)]
pub struct Graph {
    count: u32,
    most_inputs: u32,
    input_offsets: *const u32,
    inputs: *const u32,
    output_offsets: *const u32,
    outputs: *const u32,
}
unsafe impl Sync for Graph {}

impl Graph {
    fn input_count(&self, node: u32) -> u32 {
        let at = node as usize;
        unsafe { *self.input_offsets.add(at + 1) - *self.input_offsets.add(at) }
    }
    fn outputs_of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        unsafe {
            let (from, to) = (*self.output_offsets.add(at) as usize, *self.output_offsets.add(at + 1) as usize);
            std::slice::from_raw_parts(self.outputs.add(from), to - from)
        }
    }
    fn counters(&self) -> Vec<AtomicU32> {
        (0..self.count).map(|node| AtomicU32::new(self.input_count(node))).collect()
    }
    fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.count).filter(|&node| self.input_count(node) == 0)
    }
}

#[repr(C)]
pub struct Peer {
    name: *const c_char,
    start: Option<extern "C" fn(c_int) -> bool>,
    stop: Option<extern "C" fn()>,
    independent: Option<extern "C" fn(u32)>,
    run_graph: Option<extern "C" fn(&'static Graph) -> bool>,
    fibonacci: Option<extern "C" fn(c_int) -> u64>,
    hand_over: Option<extern "C" fn(c_int, c_int, *mut u64)>,
}
unsafe impl Sync for Peer {}

extern "C" {
    fn empty_body();
    fn graph_body(node: u32);
}

static BEGINNING: OnceLock<Instant> = OnceLock::new();
fn now_ns() -> u64 {
    BEGINNING.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}
fn spin_for_us(us: u64) {
    let end = now_ns() + us * 1000;
    while now_ns() < end {
        std::hint::spin_loop();
    }
}
static STAMP: AtomicU64 = AtomicU64::new(0);
fn wait_for_stamp() -> u64 {
    loop {
        match STAMP.load(Ordering::Acquire) {
            0 => std::hint::spin_loop(),
            there => return there,
        }
    }
}

#[cfg(feature = "rayon")]
mod of_rayon {
    use super::*;
    use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

    static POOL: OnceLock<ThreadPool> = OnceLock::new();

    fn pool_of(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }
    extern "C" fn start(threads: c_int) -> bool {
        POOL.set(pool_of(threads as usize)).is_ok()
    }
    extern "C" fn independent(count: u32) {
        POOL.get().unwrap().scope(|scope| {
            for _ in 0..count {
                scope.spawn(|_| unsafe { empty_body() });
            }
        });
    }
    fn run_node<'s>(scope: &Scope<'s>, graph: &'static Graph, waits_for: &'s [AtomicU32], node: u32) {
        unsafe { graph_body(node) };
        for &next in graph.outputs_of(node) {
            if waits_for[next as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                scope.spawn(move |scope| run_node(scope, graph, waits_for, next));
            }
        }
    }
    extern "C" fn run_graph(graph: &'static Graph) -> bool {
        let counters = graph.counters();
        POOL.get().unwrap().scope(|scope| {
            let waits_for = &counters[..];
            for node in graph.roots() {
                scope.spawn(move |scope| run_node(scope, graph, waits_for, node));
            }
        });
        true
    }
    fn fork_join(n: c_int) -> u64 {
        if n < 2 {
            return n as u64;
        }
        let (second, first) = rayon::join(|| fork_join(n - 2), || fork_join(n - 1));
        first + second
    }
    extern "C" fn fibonacci(n: c_int) -> u64 {
        POOL.get().unwrap().install(|| fork_join(n))
    }
    extern "C" fn hand_over(samples: c_int, idle_us: c_int, out_ns: *mut u64) {
        let one = pool_of(1);
        for sample in 0..samples as usize {
            STAMP.store(0, Ordering::Relaxed);
            spin_for_us(idle_us as u64);
            let begun = now_ns();
            one.spawn(|| STAMP.store(now_ns(), Ordering::Release));
            unsafe { *out_ns.add(sample) = wait_for_stamp() - begun };
        }
    }
    #[no_mangle]
    pub static PEER: Peer = Peer {
        name: c"rayon".as_ptr(),
        start: Some(start),
        stop: None,
        independent: Some(independent),
        run_graph: Some(run_graph),
        fibonacci: Some(fibonacci),
        hand_over: Some(hand_over),
    };
}

#[cfg(feature = "tokio")]
mod of_tokio {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tokio::runtime::{Builder, Runtime};
    use tokio::sync::oneshot;

    static RUNTIME: OnceLock<Runtime> = OnceLock::new();

    fn runtime_of(threads: usize) -> Runtime {
        Builder::new_multi_thread().worker_threads(threads).build().unwrap()
    }
    extern "C" fn start(threads: c_int) -> bool {
        RUNTIME.set(runtime_of(threads as usize)).is_ok()
    }
    struct Ending {
        unfinished: AtomicU64,
        tell: Mutex<Option<oneshot::Sender<()>>>,
        waits_for: Vec<AtomicU32>,
    }
    impl Ending {
        fn of(count: u32, waits_for: Vec<AtomicU32>) -> (Arc<Ending>, oneshot::Receiver<()>) {
            let (tell, told) = oneshot::channel();
            (Arc::new(Ending { unfinished: AtomicU64::new(count as u64), tell: Mutex::new(Some(tell)), waits_for }), told)
        }
        fn one_less(&self) {
            if self.unfinished.fetch_sub(1, Ordering::AcqRel) == 1 {
                let _ = self.tell.lock().unwrap().take().unwrap().send(());
            }
        }
    }
    extern "C" fn independent(count: u32) {
        let runtime = RUNTIME.get().unwrap();
        let (ending, told) = Ending::of(count, Vec::new());
        runtime.spawn(async move {
            for _ in 0..count {
                let ending = ending.clone();
                tokio::spawn(async move {
                    unsafe { empty_body() };
                    ending.one_less();
                });
            }
        });
        runtime.block_on(told).unwrap();
    }
    fn run_node(graph: &'static Graph, ending: Arc<Ending>, node: u32) {
        unsafe { graph_body(node) };
        for &next in graph.outputs_of(node) {
            if ending.waits_for[next as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                let ending = ending.clone();
                tokio::spawn(async move { run_node(graph, ending, next) });
            }
        }
        ending.one_less();
    }
    extern "C" fn run_graph(graph: &'static Graph) -> bool {
        let runtime = RUNTIME.get().unwrap();
        let (ending, told) = Ending::of(graph.count, graph.counters());
        runtime.spawn(async move {
            for node in graph.roots() {
                let ending = ending.clone();
                tokio::spawn(async move { run_node(graph, ending, node) });
            }
        });
        runtime.block_on(told).unwrap();
        true
    }
    extern "C" fn hand_over(samples: c_int, idle_us: c_int, out_ns: *mut u64) {
        let one = runtime_of(1);
        for sample in 0..samples as usize {
            STAMP.store(0, Ordering::Relaxed);
            let (tell, told) = oneshot::channel::<()>();
            one.spawn(async move {
                let _ = told.await;
                STAMP.store(now_ns(), Ordering::Release);
            });
            // The task has to be waiting by then, even where nothing is to sleep.
            spin_for_us(if idle_us > 0 { idle_us as u64 } else { 20 });
            let begun = now_ns();
            let _ = tell.send(());
            unsafe { *out_ns.add(sample) = wait_for_stamp() - begun };
        }
    }
    #[no_mangle]
    pub static PEER: Peer = Peer {
        name: c"tokio".as_ptr(),
        start: Some(start),
        stop: None,
        independent: Some(independent),
        run_graph: Some(run_graph),
        fibonacci: None,
        hand_over: Some(hand_over),
    };
}
