// Preloaded by a worker: its clock is more than a minute ahead of the database's, and its next minute begins soon.
const Real = Date;
const MINUTE = 60_000;
const intoMinute = Real.now() % MINUTE;
const AHEAD = 2 * MINUTE + (45_000 - intoMinute);
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Real.now() + AHEAD] : parts));
  }
  static now() {
    return Real.now() + AHEAD;
  }
};
