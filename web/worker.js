// Runs the module: it is compiled once, and each run has an instance of its own. A file that ends an instance (a panic,
// a stack that is too deep, no more memory) is found by reading the files one by one, and the others are compared.

const TEXT = new TextDecoder();
const BYTES = new TextEncoder();
let compiled; // a promise

onmessage = async ({ data }) => {
  try {
    if (data.module) compiled = unpacked(data.module).then(bytes => WebAssembly.compile(bytes));
    await compiled;
    if (data.files) postMessage(await screened(data.files, data.asked));
  } catch (error) {
    postMessage({ failed: String(error.message ?? error), isMemory: isMemory(error) });
  }
};

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
  try {
    return await run(files, asked);
  } catch (error) {
    const broken = [];
    for (const file of files) {
      // Its reading alone is asked for.
      await run([{ ...file, role: 0 }], { ...asked, quietly: true }).catch(() => broken.push(file));
    }
    if (!broken.length) throw error;
    const found = await run(files.filter(file => !broken.includes(file)), asked);
    if (!asked.folder) found.found.skipped += broken.length;
    found.broken = broken.map(file => file.name);
    return found;
  }
}

async function run(files, { quietly, ...asked }) {
  let message = '';
  const told = (what, length, done, all) => quietly || postMessage({ stage: string(what, length), done, all });
  const panicked = (text, length) => { message = string(text, length); };
  const { exports } = await WebAssembly.instantiate(await compiled, { env: { told, panicked } });
  const view = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
  const string = (address, length) => TEXT.decode(view(address >>> 0, length));
  const given = bytes => {
    const address = exports.allocate(bytes.length) >>> 0;
    view(address, bytes.length).set(bytes);
    return [address, bytes.length];
  };
  try {
    for (const file of files) {
      const bytes = new Uint8Array(file.bytes ?? await file.blob.arrayBuffer());
      exports.add(file.role, ...given(BYTES.encode(file.name)), ...given(bytes), file.blob?.lastModified ?? 0);
    }
    const isDone = exports.run(...given(BYTES.encode(JSON.stringify(asked))));
    const answer = number => view(exports.answer(number) >>> 0, exports.answer_length(number));
    if (!isDone) return { failed: TEXT.decode(answer(0)) };
    const [report, list] = [[1, 'text/html'], [2, 'text/csv']].map(([number, type]) => new Blob([answer(number)], { type }));
    return { found: JSON.parse(TEXT.decode(answer(0))), report, list };
  } catch (error) {
    throw message ? new Error(message) : error;
  }
}
