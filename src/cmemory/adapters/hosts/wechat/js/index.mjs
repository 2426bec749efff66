// The plug-in for WeChatAgent-style hosts: hooks, actions and the nightly call, over a `cmemory worker` of its own.
//
// Nothing of it ever throws. What cannot be done is traced, and the chat goes on without it: a hook answers null, an action
// says why. Each feature needs a capability, a permission or a setting, and is off without it. The contract is ours and has
// not been run in the real host; every name of it stands in contract.json.

import { setMaxListeners } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";

import { ask, codeOf, within } from "./calls.mjs";
import {
  CONTRACT, CallError, available, profilePrefix, readInput, readNow, scopeOf, settingsOf,
} from "./contract.mjs";
import { mirror } from "./mirror.mjs";
import { NOTHING, both, consolidate, summaryOf } from "./night.mjs";
import { WorkerClient } from "./worker.mjs";

/** Operations without which a worker is of no use here. */
const NEEDS = [
  "notes_brief", "notes_exchange", "notes_list", "act", "consolidate", "consolidate_plan", "consolidate_commit",
  "maintain", "scopes",
];

const { deadlinesMs: DEADLINES, hooks: HOOKS, nightly: NIGHTLY } = CONTRACT;

/**
 * Return the running plug-in: `{hooks, actions, schedules, dispose}`.
 *
 * @param {object} host what the host offers
 * @param {{config?: object, trace?: (step: object) => void}} options `config` in place of the file beside this one
 */
export async function activate(host, options = {}) {
  const plugin = new Plugin(host, options);
  await plugin.start();
  return plugin;
}

class Plugin {
  hooks = {};
  actions = {};
  schedules = {};
  #host;
  #config;
  #trace;
  #worker;
  #zone;
  #circumstances = "";
  #disposed = false;
  #stopped = new AbortController();
  #running = new Set();
  #later = new Set();
  #night = Promise.resolve();
  #mirror = Promise.resolve();
  #scheduled = false;

  constructor(host, { config = installed(), trace }) {
    this.#host = host;
    this.#config = config;
    this.#trace = trace ?? traceInto(config?.trace);
    // Any number of calls may be under way at once.
    setMaxListeners(0, this.#stopped.signal);
    this.#worker = new WorkerClient(() => this.#launch(), NEEDS);
    this.dispose = this.dispose.bind(this);
  }

  /** Offer what the host can use, and ask it for the nightly call. */
  async start() {
    await this.#guarded("activate", () => this.#start(), undefined, undefined, DEADLINES.host);
  }

  /** Take no more calls, let those that run end, and end the worker; done within five seconds. */
  async dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    const ending = this.#unschedule();
    await settledWithin([ending, ...this.#running, ...this.#later], DEADLINES.dispose / 2);
    this.#stopped.abort();
    await this.#worker.close(DEADLINES.dispose / 8);
  }

  /** Wait for the copies that are still being written. */
  async settled() {
    while (this.#later.size > 0) await Promise.all(this.#later);
  }

  /** The id of the worker's process, for tests and operators. */
  get workerPid() {
    return this.#worker.pid;
  }

  // -- what the host calls ---------------------------------------------------------------------------------------

  async #start() {
    const { apiVersion, schedule } = this.#host;
    if (apiVersion !== CONTRACT.apiVersion) throw new CallError("NOT_AVAILABLE", "the host speaks another version");
    const hook = (name, work, ms) => ({ [name]: (...call) => this.#hook(name, work, ms, ...call) });
    this.hooks = {
      ...hook(HOOKS.beforeContext, this.#beforeContext, DEADLINES.beforeContext),
      ...hook(HOOKS.afterResponse, this.#afterResponse, DEADLINES.call),
    };
    this.schedules = { [NIGHTLY]: (...call) => this.#nightly(...call) };
    if (this.#has("actions")) {
      const action = (name) => [name, (...call) => this.#action(name, ...call)];
      this.actions = Object.fromEntries(CONTRACT.actions.map(action));
    }
    if (this.#has("schedule")) {
      await ask(() => schedule.daily({ id: NIGHTLY, at: this.#settings.consolidateAt }));
      this.#scheduled = true;
    }
  }

  async #hook(name, work, ms, given, context) {
    const done = await this.#guarded(name, work, given, context, ms);
    return done instanceof CallError ? null : done;
  }

  async #action(name, given, context) {
    const ms = DEADLINES.call + (name === CONTRACT.consolidate ? DEADLINES.model : 0);
    const done = await this.#guarded(name, (...call) => this.#act(name, ...call), given, context, ms);
    if (!(done instanceof CallError)) return done;
    return { ok: false, code: done.code, text: CONTRACT.refusals[done.code] ?? CONTRACT.refusals.MEMORY_FAILED };
  }

  async #nightly(given, context) {
    // No deadline of its own: every single step has one, and the host may stop it by its signal.
    const done = await this.#guarded(NIGHTLY, this.#consolidateAll, given, context);
    if (done instanceof CallError) return { ok: false, summary: done.code };
    return { ok: done.failure === null, summary: summaryOf(done) };
  }

  // -- what is done ----------------------------------------------------------------------------------------------

  async #beforeContext(given, context, signal) {
    const { chat, message, budgetChars } = readInput(HOOKS.beforeContext, given);
    const now = readNow(context, message.at);
    if (this.#isStranger(chat, message)) return null;
    const brief = await this.#ask(chat.key, signal)("notes_brief", {
      current_message: message.text,
      session_id: chat.key,
      now,
      max_chars: Math.min(budgetChars, this.#settings.recallMaxChars),
      mood: this.#has("mood"),
    });
    return brief.text ? { text: brief.text, usedChars: brief.chars } : null;
  }

  async #afterResponse(given, context, signal) {
    const { chat, message, response } = readInput(HOOKS.afterResponse, given);
    if (!message.text.trim() || !this.#has("queue") || this.#isStranger(chat, message)) return null;
    const sent = response.text.trim() !== "" && response.silent !== true;
    await this.#ask(chat.key, signal)("notes_exchange", {
      said: message.text,
      answered: sent ? response.text : null,
      session_id: chat.key,
      at: message.at,
      answered_at: response.at,
      message_id: message.id,
    });
    return null;
  }

  async #act(name, given, context, signal) {
    const { chat, message, arguments: filled } = readInput("action", given);
    const now = readNow(context, message.at);
    if (this.#isStranger(chat, message)) throw new CallError("NOT_THE_OWNER");
    const answer =
      name === CONTRACT.consolidate && this.#has("model")
        ? await this.#consolidateNow(chat.key, now, signal)
        : await this.#carryOut(name, filled, chat, message, signal);
    if (CONTRACT.writing.includes(name)) this.#copyLater(chat.key, now);
    return answer;
  }

  async #carryOut(action, filled, chat, message, signal) {
    const { ok, code, text, data } = await this.#ask(chat.key, signal)("act", {
      action,
      arguments: filled,
      current_message: message.text,
      session_id: chat.key,
      message_id: message.id,
      now: message.at,
    });
    return ok ? { ok, text, data } : { ok, code, text };
  }

  async #consolidateNow(chat, now, signal) {
    const night = await this.#consolidate(chat, now, true, signal);
    if (night.failure !== null) throw night.failure;
    return { ok: true, text: summaryOf(night), data: { kept: night.kept, left: night.left } };
  }

  async #consolidateAll(given, context, signal) {
    const now = readNow(context, readInput("schedule", given).firedAt);
    let done = NOTHING;
    if (!this.#settings.autoConsolidate) return done;
    for (const chat of await this.#chats(signal)) {
      if (signal.aborted) throw new CallError("CANCELLED");
      const night = await this.#consolidate(chat, now, false, signal);
      if (night.failure === null && night.left === 0) {
        // The other chores; what still waits they would read by rule.
        await this.#ask(chat, signal)("maintain", { now, at: this.#settings.consolidateAt });
      }
      done = both(done, night);
      this.#copyLater(chat, now);
      if (done.failure !== null) {
        this.#note(NIGHTLY, done.failure);
        break;
      }
    }
    return done;
  }

  /** One night at a time, so that a second call finds nothing left to do. */
  #consolidate(chat, now, force, signal) {
    const model = this.#has("model") ? this.#host.model : undefined;
    const options = { now, at: this.#settings.consolidateAt, force, signal };
    const run = () => {
      if (signal.aborted) throw new CallError("CANCELLED");
      return consolidate(this.#ask(chat, signal), model, options);
    };
    const done = this.#night.then(run);
    this.#night = done.catch(() => {});
    return done;
  }

  async #chats(signal) {
    const prefix = profilePrefix(this.#host);
    const { scopes } = await this.#call("scopes", {}, signal);
    return scopes
      .filter(({ service, owner }) => service === CONTRACT.service && owner === this.#host.owner.id)
      .filter(({ profile }) => profile.startsWith(prefix))
      .map(({ profile }) => profile.slice(prefix.length));
  }

  // -- the mirror ------------------------------------------------------------------------------------------------

  /** Bring the chat's documents up to date once the caller has its answer. */
  #copyLater(chat, now) {
    if (!this.#has("mirror") || this.#disposed) return;
    const copied = this.#mirror.then(() => this.#guarded("mirror", (_, __, signal) => this.#copy(chat, now, signal)));
    this.#mirror = copied;
    this.#later.add(copied);
    copied.then(() => this.#later.delete(copied));
  }

  async #copy(chat, now, signal) {
    const { records } = await this.#ask(chat, signal)("notes_list", { everything: true, now });
    const conflicts = await mirror(this.#host.documents, chat, records);
    for (const id of conflicts) this.#note(id, new CallError("CONFLICT"));
  }

  // -- the rest --------------------------------------------------------------------------------------------------

  /** Return what the work returns, or the error that it ended in, which is traced. */
  async #guarded(subject, work, given, context, ms) {
    if (this.#disposed) return this.#note(subject, new CallError("DISPOSED"));
    if (isZone(context?.timeZone)) this.#zone = context.timeZone;
    const running = within((signal) => work.call(this, given, context, signal), {
      ms,
      signals: [context?.signal, this.#stopped.signal],
    });
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      return await running;
    } catch (error) {
      return this.#note(subject, error);
    } finally {
      this.#running.delete(settled);
    }
  }

  #ask(chat, signal) {
    return (op, params) => this.#call(op, { scope: scopeOf(this.#host, chat), ...params }, signal);
  }

  async #call(op, params, signal) {
    const circumstances = JSON.stringify(this.#environment());
    if (circumstances !== this.#circumstances) this.#worker.renew();
    this.#circumstances = circumstances;
    const ask = () => this.#worker.call(op, params, { deadlineMs: DEADLINES.call, signal });
    return ask().catch((error) => {
      // Whoever killed the worker meant the worker. All but an action may be asked twice without harm.
      if (error.code !== "WORKER_EXITED" || op === "act" || signal.aborted) throw error;
      this.#note(op, error);
      return ask();
    });
  }

  #launch() {
    const { command, database, environment = {} } = this.#config ?? {};
    if (!Array.isArray(command) || typeof database !== "string") throw new CallError("NOT_CONFIGURED");
    return {
      command: [...command, "--database", database],
      environment: { ...this.#environment(), ...environment },
    };
  }

  /** What a worker is told at its start; when it changes, a fresh one is started. */
  #environment() {
    // Without a word of the host, the worker asks the machine for its zone.
    const zone = this.#zone === undefined ? {} : { CMEMORY_ZONE: this.#zone };
    return { ...zone, CMEMORY_MAX_NOTES: String(this.#settings.maxMemories) };
  }

  async #unschedule() {
    if (!this.#scheduled) return;
    try {
      await ask(() => this.#host.schedule.cancel(NIGHTLY), { ms: DEADLINES.dispose / 2 });
    } catch (error) {
      this.#note("dispose", error);
    }
  }

  get #settings() {
    return settingsOf(this.#host.settings);
  }

  #has(feature) {
    return available(this.#host, feature);
  }

  #isStranger(chat, message) {
    return chat.kind === CONTRACT.group && message.senderId !== (this.#settings.ownerSenderId || this.#host.owner.id);
  }

  /** Trace an error, and return it. */
  #note(subject, error) {
    const reason = codeOf(error, "MEMORY_FAILED").code;
    this.#trace?.({ name: "wechat", subject, outcome: "failed", reason, score: null });
    return error;
  }
}

/** Return what `cmemory wechat install` wrote beside this file; nothing when it did not. */
function installed() {
  try {
    return JSON.parse(readFileSync(new URL("./cmemory.config.json", import.meta.url), "utf8"));
  } catch {
    return null;
  }
}

function isZone(name) {
  try {
    return typeof name === "string" && Intl.DateTimeFormat(undefined, { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Return a sink that appends to a file as the library's own traces do; a failing disk loses traces, not turns. */
function traceInto(path) {
  if (typeof path !== "string") return undefined;
  return (step) => {
    const line = JSON.stringify({ call: "wechat", at: new Date().toISOString(), steps: [step] });
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // Nobody is left to tell.
    }
  };
}

async function settledWithin(promises, ms) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled(promises), late]);
  clearTimeout(timer);
}
