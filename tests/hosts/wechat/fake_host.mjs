// A host that plays the contract from the other side, in memory, as unpleasantly as a test asks.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PLUGIN = process.env.CMEMORY_PLUGIN;
const PYTHON = process.env.CMEMORY_PYTHON;

/** Import a module of the plug-in under test. */
export const load = (name) => import(pathToFileURL(join(PLUGIN, name)));

const { activate } = await load("index.mjs");
const { CONTRACT } = await load("contract.mjs");
const { WorkerClient } = await load("worker.mjs");

export { activate, CONTRACT };

// A busy machine may take its time to start a worker; what a deadline does is tested with deadlines of its own.
Object.assign(CONTRACT.deadlinesMs, { beforeContext: 120_000, call: 120_000, host: 120_000, model: 120_000, dispose: 16_000 });

/** The real worker. */
export const REAL = [PYTHON, "-m", "cmemory", "worker"];

/** A worker that misbehaves; see ugly_worker.py. */
export const ugly = (counter, ...plays) => [PYTHON, process.env.CMEMORY_UGLY, counter, ...plays];

/** What a model may be told to do instead of answering. */
export const HANG = Symbol("hang");

const CAPABILITIES = ["actions-v1", "documents-v1", "model-utility-v1", "daily-schedule-v1"];
const PERMISSIONS = ["storage", "documents", "model_generate", "schedule"];

/** Answers in turn: a value, a function of the request, an error to throw, or `HANG`; the last one for ever. */
export class FakeModel {
  asked = [];

  constructor(...answers) {
    this.answers = answers;
  }

  generate(request) {
    this.asked.push(request);
    const answer = this.answers.length === 1 ? this.answers[0] : this.answers.shift();
    if (answer instanceof Error) throw answer;
    if (answer === HANG) return new Promise(() => {});
    return typeof answer === "function" ? answer(request) : answer;
  }
}

/** Return an answer that makes a note of each exchange that holds the quote. */
export function notesAnswer(quote, note) {
  return ({ prompt }) => {
    const lines = [...prompt.matchAll(/^\[(\d+)\].*\nperson: (.*)$/gm)];
    const items = lines
      .filter(([, , line]) => line.includes(quote))
      .map(([, number]) => ({ kind: "preference", note, exchange: Number(number), quote }));
    return { text: JSON.stringify(items) };
  };
}

/** A document store with revisions, pages of two, and strangers who write in between. */
export class FakeDocuments {
  held = new Map();
  conflicts = 0;
  lists = 0;
  failure = null;

  async get(_, id) {
    return this.held.get(id) ?? null;
  }

  async put(_, id, json, { ifRevision }) {
    if (this.failure !== null) throw this.failure;
    const revision = this.held.get(id)?.revision ?? null;
    const stranger = this.conflicts > 0;
    if (stranger) {
      this.conflicts -= 1;
      this.held.set(id, { id, json: { stranger }, revision: (revision ?? 0) + 1 });
    }
    if (stranger || ifRevision !== revision) throw Object.assign(new Error("changed"), { code: "REVISION_CONFLICT" });
    this.held.set(id, { id, json, revision: (revision ?? 0) + 1 });
    return { revision: (revision ?? 0) + 1 };
  }

  async delete(_, id) {
    this.held.delete(id);
  }

  async list(_, { prefix, cursor = "0" }) {
    this.lists += 1;
    const all = [...this.held.values()].filter(({ id }) => id.startsWith(prefix));
    const start = Number(cursor);
    const items = all.slice(start, start + 2);
    return start + 2 < all.length ? { items, cursor: String(start + 2) } : { items };
  }

  get texts() {
    return [...this.held.values()].map(({ json }) => json.text).sort();
  }
}

class FakeSchedule {
  dailies = [];
  cancelled = [];
  failure = null;

  async daily(request) {
    if (this.failure !== null) throw this.failure;
    this.dailies.push(request);
  }

  async cancel(id) {
    this.cancelled.push(id);
  }
}

/** Return a host that grants everything but what is missing. */
export function fakeHost({ model = new FakeModel({ text: "[]" }), without = [], ...settings } = {}) {
  const granted = (all) => all.filter((one) => !without.includes(one));
  return {
    apiVersion: 2,
    capabilities: granted(CAPABILITIES),
    permissions: granted(PERMISSIONS),
    owner: { id: "host-owner" },
    settings,
    model,
    documents: new FakeDocuments(),
    schedule: new FakeSchedule(),
  };
}

/** Run a scene with an activated plug-in, a real worker and a database of its own. */
export async function play(host, scene, { command = REAL, database, ...config } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cmemory-"));
  const traced = [];
  const path = database ?? join(folder, "luna.db");
  const plugin = await activate(host, {
    config: { command, database: path, environment: { CMEMORY_ZONE: "Asia/Shanghai" }, ...config },
    trace: ({ subject, reason }) => traced.push([subject, reason]),
  });
  try {
    return await scene(plugin, traced, path);
  } finally {
    await plugin.dispose();
    await eyes.get(path)?.close();
    eyes.delete(path);
    rmSync(folder, { recursive: true });
  }
}

/** Return the part of an input that every call has. */
export function turn(text, { number = 1, chat = "wechat:private:nora", kind = "private", sender = "nora", at = "2026-03-01T20:00:00+08:00" } = {}) {
  return {
    chat: { key: chat, kind, title: "Nora" },
    message: { id: `${chat}-${number}`, text, senderId: sender, senderName: "Nora", at },
  };
}

/** Return the input of `before-context`. */
export const asked = (text, { budget = 1_200, ...where } = {}) => ({ ...turn(text, where), budgetChars: budget });

/** Return the input of `after-response`. */
export function said(text, { answer = "好的。", silent = false, ...where } = {}) {
  const before = turn(text, where);
  return { ...before, response: { text: answer, at: before.message.at, silent } };
}

/** Return the input of an action. */
export const act = (text, filled, where) => ({ ...turn(text, where), arguments: filled });

/** After the hour of 1 March has struck, in Shanghai. */
export const NIGHT = { firedAt: "2026-03-01T23:51:00+08:00", dueFor: "2026-03-01" };
export const NEXT_DAY = "2026-03-02T09:00:00+08:00";
export const SEA = "记住我喜欢海边，讨厌吵闹。";
export const SEA_NOTE = { text: "喜欢海边，讨厌吵闹", kind: "preference" };

/** Workers that look on, by their database; `play` ends them. */
const eyes = new Map();

/** Ask a worker beside that of the plug-in about a chat. */
export function inspect(database, op, params = {}, { chat = "wechat:private:nora", persona = "default" } = {}) {
  if (!eyes.has(database)) {
    const launch = { command: [...REAL, "--database", database], environment: { CMEMORY_ZONE: "Asia/Shanghai" } };
    eyes.set(database, new WorkerClient(() => launch));
  }
  const scope = { service_id: "wechatagent", owner_user_id: "host-owner", companion_profile_id: `${persona}/${chat}` };
  return eyes.get(database).call(op, { scope, ...params });
}

/** Return how many exchanges wait in a chat. */
export async function waiting(database, where) {
  return (await inspect(database, "consolidate", { now: "2026-02-01T12:00:00Z" }, where)).left;
}
