// Runs the module: it is compiled once, and each run has an instance of its own. A file that ends an instance while it is
// read (a panic, a stack that is too deep) is left out, and the others are compared.
//
// Where the browser lets workers share memory, the page runs the threads of a run in further workers, by this script too.

const TEXT = new TextDecoder();
const BYTES = new TextEncoder();
let compiled; // a promise

// The size of a thread's stack, as that of the first (scripts/page), and of a page of memory, in bytes.
const STACK = 4 << 20;
const PAGE = 65536;
// Memory that an instance begins with, and from which on it is full.
const MEMORY = 16 << 20;
const FULL = 3.5 * 2 ** 30;

onmessage = async ({ data }) => {
  try {
    if (data.thread) return await threaded(data.thread);
    if (data.module) compiled = unpacked(data.module).then(bytes => WebAssembly.compile(bytes));
    await compiled;
    if (data.files) postMessage(await screened(data.files, data.asked));
  } catch (error) {
    postMessage({ failed: String(error.message ?? error), isMemory: isMemory(error) });
  }
};

/** Runs a thread of another worker's instance: in its memory, with a stack of its own. It has no end. */
async function threaded({ module, memory, stack, local }) {
  const exports = (await WebAssembly.instantiate(module, imports(memory, {}))).exports;
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(local);
  exports.work();
}

// Values of seven bits that mean something to HTML: each shares a character with the value behind it.
const TAKEN = [0, 13, 60];

function unpacked({ letters, length }) {
  const packed = new Uint8Array(length);
  let [bits, count, at] = [0, 0, 0];
  const put = value => {
    bits = (bits & 127) << 7 | value;
    count += 7;
    if (count < 8) return;
    count -= 8;
    packed[at++] = bits >> count;
  };
  for (let i = 0; i < letters.length; i++) {
    const code = letters.charCodeAt(i);
    if (code >= 256) put(TAKEN[(code - 256) >> 7]);
    put(code & 127);
  }
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function isMemory(error) {
  return error instanceof RangeError && /memory|allocat|length/i.test(error.message);
}

async function screened(files, asked) {
  const broken = [];
  for (;;) {
    try {
      const found = await run(files, { ...asked, except: broken });
      if (!asked.folder && found.found) found.found.skipped += broken.length;
      return { ...found, broken };
    } catch (error) {
      // With threads, what another one reads may be to blame: the page begins again without.
      if (asked.threads > 1 || !error.file || broken.includes(error.file)) throw error;
      broken.push(error.file);
    }
  }
}

/** A memory that instances can share, as large as the browser allows. */
function memoryOf(bytes) {
  for (let maximum = 65536; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE), maximum, shared: true });
    } catch (error) {
      if (maximum <= 4096) throw error;
    }
  }
}

/** What an instance calls; `seen` keeps the file that is being read, and the message of a panic. */
function imports(memory, seen) {
  // A text in memory that is shared is copied first.
  const string = (address, length) => TEXT.decode(bytesAt(memory, address, length));
  const told = (what, length, done, all) => {
    const stage = string(what, length);
    if (!stage.startsWith('reading')) seen.file = '';
    postMessage({ stage, done, all });
  };
  const reading = (name, length) => { seen.file = string(name, length); };
  const panicked = (text, length) => { seen.message = string(text, length); };
  return { env: { memory, told, reading, panicked } };
}

const bytesAt = (memory, address, length) => new Uint8Array(memory.buffer, address >>> 0, length).slice();

async function run(files, asked) {
  const memory = memoryOf(MEMORY);
  const seen = {};
  const { exports } = await WebAssembly.instantiate(await compiled, imports(memory, seen));
  const given = bytes => {
    const address = exports.allocate(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  };
  try {
    if (asked.threads > 1) {
      await begin(asked.threads - 1, exports, memory);
      exports.pool(asked.threads - 1);
    }
    for (const file of files) {
      const bytes = new Uint8Array(file.bytes ?? await file.blob.arrayBuffer());
      exports.add(file.role, ...given(BYTES.encode(file.name)), ...given(bytes), file.blob?.lastModified ?? 0);
    }
    const isDone = exports.run(...given(BYTES.encode(JSON.stringify(asked))));
    const answer = number => bytesAt(memory, exports.answer(number), exports.answer_length(number));
    if (!isDone) return { failed: TEXT.decode(answer(0)) };
    const [report, list] = [[1, 'text/html'], [2, 'text/csv']].map(([number, type]) => new Blob([answer(number)], { type }));
    return { found: JSON.parse(TEXT.decode(answer(0))), report, list };
  } catch (error) {
    const failed = seen.message ? new Error(seen.message) : error;
    // Near the end of the memory no file is to blame.
    failed.file = memory.buffer.byteLength < FULL ? seen.file : '';
    throw failed;
  }
}

/** Has the page make workers for threads; each has a stack and a place for its own variables. */
async function begin(count, exports, memory) {
  const [size, align] = [exports.__tls_size.value, exports.__tls_align.value];
  const threads = Array.from({ length: count }, () => {
    const local = exports.allocate(size + align) >>> 0;
    return { memory, stack: ((exports.allocate(STACK) >>> 0) + STACK) & ~15, local: Math.ceil(local / align) * align };
  });
  const module = await compiled;
  postMessage({ threads: threads.map(thread => ({ module, ...thread })) });
}
