import { formatClock, tick } from "#app/enhance/tick.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";

/** Counts down to a moment the server set, then reloads the page to show what follows. */
export class ExpiryClock extends HTMLElement {
  stop = () => {};

  connectedCallback() {
    const time = this.querySelector("time");
    if (!time) return;
    const until = Date.parse(time.dateTime);
    if (until <= Date.now()) return;
    this.stop = tick(until, (left) => {
      time.textContent = formatClock(left);
      if (left === 0) setTimeout(() => whenReachable(() => this.isConnected && location.reload()), 1000);
    });
  }

  /** Another screen replaced this one: a reload would lose what is typed there. */
  disconnectedCallback() {
    this.stop();
  }
}
