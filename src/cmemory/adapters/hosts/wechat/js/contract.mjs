// The contract as its tables have it (contract.json, written from contract.py): settings, features, and typed readers.

import { readFileSync } from "node:fs";

/** Every name and number of the contract. */
export const CONTRACT = Object.freeze(JSON.parse(readFileSync(new URL("./contract.json", import.meta.url), "utf8")));

const STAMP =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:?\d{2})$/;
const HOUR = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** A call that was not carried out. The problem names fields and types, never contents. */
export class CallError extends Error {
  constructor(code, problem = "") {
    super(problem ? `${code}: ${problem}` : code);
    this.name = "CallError";
    this.code = code;
  }
}

const FITS = {
  name: (value) => typeof value === "string" && value.trim() !== "",
  text: (value) => typeof value === "string",
  instant: (value) => typeof value === "string" && STAMP.test(value.trim()),
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  truth: (value) => typeof value === "boolean",
  object: isObject,
};

const USABLE = {
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isSafeInteger(value),
  time: (value) => typeof value === "string" && HOUR.test(value),
  text: (value) => typeof value === "string",
};

/** Return the settings as they stand: held within their bounds, and the default where one is of no use. */
export function settingsOf(given) {
  const values = isObject(given) ? given : {};
  return Object.fromEntries(CONTRACT.settings.map((one) => [one.key, settingOf(one, values[one.key])]));
}

function settingOf({ type, default: standard, min = -Infinity, max = Infinity }, given) {
  if (!USABLE[type](given)) return standard;
  return type === "integer" ? Math.min(max, Math.max(min, given)) : given;
}

/** Tell whether a feature has the capability, permission, service and setting it needs. */
export function available(host, feature) {
  const { capability, permission, service, setting } = CONTRACT.needs[feature];
  return (
    (capability === undefined || [...host.capabilities].includes(capability)) &&
    (permission === undefined || [...host.permissions].includes(permission)) &&
    (service === undefined || isObject(host[service])) &&
    (setting === undefined || settingsOf(host.settings)[setting] === true)
  );
}

/** Return what a call reads of its input; throws a `CallError` when a field is missing or of the wrong type. */
export function readInput(call, given) {
  return readObject(CONTRACT.inputs[call], given, "$");
}

/** Return the moment that came along with a call. */
export function readNow(context, standard) {
  return readObject(CONTRACT.context, context ?? {}, "$context").now ?? standard;
}

/** Return the scope of a chat: each is a relationship of its own, so nothing said in one comes up in another. */
export function scopeOf(host, chatKey) {
  return {
    service_id: CONTRACT.service,
    owner_user_id: host.owner.id,
    companion_profile_id: profilePrefix(host) + chatKey,
  };
}

/** Return what the profiles of all chats with a persona begin with. */
export function profilePrefix(host) {
  const persona = host.persona?.id || CONTRACT.persona;
  return `${persona.replaceAll("~", "~0").replaceAll("/", "~1")}/`;
}

/** Tell whether a value is an object and no list. */
export function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function readObject(fields, given, path) {
  if (!isObject(given)) throw invalid("must be an object", path);
  const wanted = fields.filter(({ name, required }) => required || given[name] != null);
  return Object.fromEntries(wanted.map((one) => [one.name, readValue(one, given[one.name], `${path}.${one.name}`)]));
}

function readValue({ kind, choices, fields }, value, path) {
  if (value == null) throw invalid("is missing", path);
  if (!FITS[kind](value)) throw invalid(`must be ${CONTRACT.problems[kind]}`, path);
  if (choices.length > 0 && !choices.includes(value)) throw invalid(`must be one of ${choices.join(", ")}`, path);
  return kind === "object" && fields.length > 0 ? readObject(fields, value, path) : value;
}

function invalid(problem, path) {
  return new CallError("INVALID_INPUT", `${problem} @ ${path}`);
}
