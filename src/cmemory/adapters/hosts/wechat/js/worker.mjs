// The host's end of `cmemory worker`: one child process at a time, JSON lines, deadlines, and a new start after a fault.
//
// A connection belongs to one process and is never used again after a fault, so whatever a dead worker's pipe still says
// reaches nobody but those who asked that worker. Nothing is kept of earlier answers. Knows nothing of any host.

import { spawn } from "node:child_process";
import { once } from "node:events";

const PROTOCOL_VERSION = 1;

/** Longest request in bytes and deepest nesting; the worker refuses others without telling whose they were. */
const MAX_LINE_BYTES = 1_048_576;
const MAX_DEPTH = 127;

/** Longest answer in bytes. */
const MAX_ANSWER_BYTES = 67_108_864;

/** The worker's exit status for a start that cannot succeed. */
const START_FAILED = 2;

/** How much of the worker's standard error is kept, for a person who looks for the cause of a fault. */
const DIAGNOSTICS_BYTES = 4_096;

/** How long a worker that closed its output may take to show its exit status, which tells more. */
const STATUS_MS = 250;

/** Milliseconds until the next start, after so many workers in a row that answered nothing; the last from then on. */
const BACKOFF_MS = [0, 0, 1_000, 2_000, 5_000, 10_000, 30_000];

/** What a worker inherits of the host's environment; nothing else, so that the host's keys stay with the host. */
export const INHERITED = [
  "PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "HOME", "USERPROFILE", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV",
  "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
];

/** Why there is no answer. The problem names fields and places, never contents. */
export class WorkerFault extends Error {
  constructor(code, problem, retryable = true) {
    super(`${code}: ${problem}`);
    this.name = "WorkerFault";
    this.code = code;
    this.retryable = retryable;
  }
}

/** Calls a worker, starting it on the first call and again after any fault. */
export class WorkerClient {
  #launch;
  #needs;
  #current = null;
  #former = new Set();
  #closed = false;
  #silent = 0;
  #restUntil = 0;
  #number = 0;

  /**
   * @param {() => {command: string[], environment?: Record<string, string>}} launch asked before each start
   * @param {string[]} needs operations without which a worker is of no use
   */
  constructor(launch, needs = []) {
    this.#launch = launch;
    this.#needs = needs;
  }

  /** Return the result of an operation; throws a `WorkerFault` when there is none. */
  async call(op, params, { deadlineMs = 30_000, signal } = {}) {
    if (this.#closed) throw new WorkerFault("WORKER_CLOSED", "the client was closed");
    if (signal?.aborted) throw cancelledFault();
    const id = String(++this.#number);
    const line = encode(id, op, params);
    return this.#connection().ask(id, line, deadlineMs, signal);
  }

  /** Let the next call start a fresh worker; what this one was asked, it still answers. */
  renew() {
    const former = this.#current;
    this.#current = null;
    if (former === null) return;
    this.#former.add(former);
    former.retire().then(() => this.#former.delete(former));
  }

  /** End the worker: kindly, then by a signal, then for good. Answers that are under way still come. */
  async close(graceMs = 1_000) {
    this.#closed = true;
    const all = [...this.#former, ...(this.#current === null ? [] : [this.#current])];
    this.#current = null;
    await Promise.all(all.map((one) => one.close(graceMs)));
  }

  /** The end of what the worker wrote to its standard error. Treat it as private. */
  get diagnostics() {
    return this.#current?.diagnostics ?? "";
  }

  /** The id of the running process, for tests and operators. */
  get pid() {
    return this.#current?.alive ? this.#current.pid : undefined;
  }

  #connection() {
    if (this.#current?.alive) return this.#current;
    if (performance.now() < this.#restUntil) {
      throw new WorkerFault("WORKER_RESTING", "the worker failed again and again; it is tried later");
    }
    this.#current = new Connection(this.#launch(), this.#needs, (answered) => this.#ended(answered));
    return this.#current;
  }

  #ended(answered) {
    this.#silent = answered ? 0 : this.#silent + 1;
    this.#restUntil = performance.now() + BACKOFF_MS[Math.min(this.#silent, BACKOFF_MS.length - 1)];
  }
}

class Connection {
  #child;
  #needs;
  #onEnd;
  #pending = new Map();
  #fault = null;
  #answered = false;
  #retired = false;
  #chunks = [];
  #length = 0;
  #tail = Buffer.alloc(0);
  #exited;

  constructor({ command: [program, ...words], environment = {} }, needs, onEnd) {
    this.#needs = needs;
    this.#onEnd = onEnd;
    try {
      this.#child = spawn(program, words, { stdio: "pipe", env: environmentOf(environment), windowsHide: true });
    } catch (error) {
      throw new WorkerFault("WORKER_START_FAILED", `the process could not be started: ${error.code ?? error.name}`);
    }
    this.#exited = new Promise((resolve) => {
      this.#child.once("close", resolve);
      // A process that never was does not close.
      this.#child.once("error", () => this.#child.pid === undefined && resolve());
    });
    this.#child.once("error", (error) => {
      this.#fail(new WorkerFault("WORKER_START_FAILED", `the process could not be started: ${error.code}`));
    });
    this.#child.once("close", (status, signal) => this.#gone(status, signal));
    // Whoever writes to a worker that has gone learns it from its end, which tells more.
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (chunk) => this.#receive(chunk));
    this.#child.stdout.once("end", () => setTimeout(() => this.#mute(), STATUS_MS).unref());
    this.#child.stderr.on("data", (chunk) => this.#keep(chunk));
    this.#child.stdin.write(encode("introduction", "capabilities", {}));
  }

  get alive() {
    return this.#fault === null;
  }

  get pid() {
    return this.#child.pid;
  }

  get diagnostics() {
    return this.#tail.toString("utf8");
  }

  /** Return the result of a request. Cancelled or not, a worker that has not answered by the deadline is ended. */
  ask(id, line, deadlineMs, signal) {
    return new Promise((resolve, reject) => {
      const late = () => this.#fail(new WorkerFault("WORKER_TIMEOUT", "no answer came in time"));
      const cancelled = () => reject(cancelledFault());
      const timer = setTimeout(late, deadlineMs);
      signal?.addEventListener("abort", cancelled, { once: true });
      this.#pending.set(id, (outcome) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancelled);
        if (outcome instanceof WorkerFault) reject(outcome);
        else resolve(outcome);
      });
      this.#child.stdin.write(line);
    });
  }

  /** Take no more requests; the worker ends once it has answered those it has. */
  retire() {
    this.#retired = true;
    this.#child.stdin.end();
    return this.#exited;
  }

  async close(graceMs) {
    void this.retire();
    for (const sign of ["SIGTERM", "SIGKILL"]) {
      if (await this.#within(graceMs)) return;
      this.#child.kill(sign);
    }
    await this.#within(graceMs);
  }

  async #within(graceMs) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), graceMs);
    const expired = once(stop.signal, "abort").then(() => false);
    const gone = await Promise.race([this.#exited.then(() => true), expired]);
    clearTimeout(timer);
    return gone;
  }

  #receive(chunk) {
    if (this.#fault !== null) return;
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, end)]);
      this.#chunks = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      this.#hear(line);
    }
    this.#chunks.push(rest);
    this.#length += rest.length;
    if (this.#length > MAX_ANSWER_BYTES) this.#broken(`an answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  }

  #hear(line) {
    if (this.#fault !== null) return;
    let answer;
    try {
      answer = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
    } catch {
      this.#fail(new WorkerFault("WORKER_BAD_JSON", "a line of the worker is not JSON"));
      return;
    }
    if (!isAnswer(answer)) return this.#broken("a line of the worker is no answer");
    this.#answered = true;
    if (answer.id === "introduction") return this.#meet(answer);
    return this.#settle(answer.id, outcomeOf(answer));
  }

  #meet(answer) {
    const known = new Set((answer.result?.operations ?? []).map((one) => one.name));
    const missing = this.#needs.filter((name) => !known.has(name));
    if (missing.length > 0) this.#broken(`the worker is too old: it has no ${missing.join(", ")}`);
  }

  #broken(problem) {
    this.#fail(new WorkerFault("WORKER_PROTOCOL_ERROR", problem));
  }

  #settle(id, outcome) {
    const settle = this.#pending.get(id);
    this.#pending.delete(id);
    settle?.(outcome);
  }

  /** End the worker, and every request that waits, with one reason; later reasons change nothing. */
  #fail(fault) {
    if (this.#fault !== null) return;
    this.#fault = fault;
    this.#chunks = [];
    for (const id of [...this.#pending.keys()]) this.#settle(id, fault);
    this.#child.kill("SIGKILL");
    this.#onEnd(this.#retired || (this.#answered && fault.code !== "WORKER_PROTOCOL_ERROR"));
  }

  #gone(status, signal) {
    const never = status === START_FAILED && !this.#answered;
    const code = never ? "WORKER_START_FAILED" : "WORKER_EXITED";
    this.#fail(new WorkerFault(code, `the worker ended with status ${status ?? signal}`));
  }

  #mute() {
    this.#fail(new WorkerFault("WORKER_EXITED", "the worker ended by closing its output"));
  }

  #keep(chunk) {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-DIAGNOSTICS_BYTES);
  }
}

function cancelledFault() {
  return new WorkerFault("CANCELLED", "the request was cancelled", false);
}

function environmentOf(further) {
  const inherited = INHERITED.filter((name) => process.env[name] !== undefined);
  // Modules that happen to lie in the host's current folder are not the worker's.
  const fixed = { PYTHONSAFEPATH: "1" };
  return { ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])), ...fixed, ...further };
}

function encode(id, op, params) {
  refuse(depthOf(params) + 1 > MAX_DEPTH, "it is nested too deeply");
  const text = JSON.stringify({ version: PROTOCOL_VERSION, id, op, params }, (key, value) => {
    refuse(!key.isWellFormed(), "a text holds a lone surrogate");
    refuse(typeof value === "string" && !value.isWellFormed(), "a text holds a lone surrogate");
    return value;
  });
  refuse(Buffer.byteLength(text) > MAX_LINE_BYTES, `it is longer than ${MAX_LINE_BYTES} bytes`);
  return `${text}\n`;
}

function depthOf(value, depth = 0) {
  if (value === null || typeof value !== "object" || depth > MAX_DEPTH) return depth;
  return Math.max(depth + 1, ...Object.values(value).map((one) => depthOf(one, depth + 1)));
}

function refuse(wrong, problem) {
  if (wrong) throw new WorkerFault("INVALID_REQUEST", `the request cannot be written: ${problem}`, false);
}

function isAnswer(answer) {
  return answer?.version === PROTOCOL_VERSION && typeof answer.id === "string" && typeof answer.ok === "boolean";
}

function outcomeOf({ ok, result, error }) {
  if (ok && isObject(result)) return result;
  if (ok) return new WorkerFault("WORKER_ERROR", "the result is no object");
  const { code = "WORKER_ERROR", summary = "the worker gave no reason", retryable = false } = error ?? {};
  return new WorkerFault(code, summary, retryable);
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
