// Preloaded by a worker: its clock is half an hour ahead, its next minute begins soon, and once the file SET_BACK_AT exists it
// is set back to about the right time.
import { existsSync } from "node:fs";

const Real = Date;
const MINUTE = 60_000;
const SOON = 15_000;
let ahead = 31 * MINUTE - SOON - (Real.now() % MINUTE);
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Real.now() + ahead] : parts));
  }
  static now() {
    return Real.now() + ahead;
  }
};
const watching = setInterval(() => {
  if (!existsSync(process.env.SET_BACK_AT)) return;
  clearInterval(watching);
  const untilMinute = MINUTE - (Date.now() % MINUTE);
  // The next minute begins soon after the one that was awaited would have.
  ahead = MINUTE - ((untilMinute + SOON) % MINUTE) - (Real.now() % MINUTE);
}, 50);
watching.unref();
