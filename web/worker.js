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

// The digits of base 85, as Python has them, but for two that mean something to HTML.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=>?@^_`{|}~';

function unpacked({ letters, length }) {
  const values = new Uint8Array(128);
  for (let i = 0; i < 85; i++) values[DIGITS.charCodeAt(i)] = i;
  const groups = new DataView(new ArrayBuffer(letters.length / 5 * 4));
  for (let at = 0; at < letters.length; at += 5) {
    let sum = 0;
    for (let i = at; i < at + 5; i++) sum = sum * 85 + values[letters.charCodeAt(i)];
    groups.setUint32(at / 5 * 4, sum);
  }
  const packed = new Uint8Array(groups.buffer, 0, length);
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
