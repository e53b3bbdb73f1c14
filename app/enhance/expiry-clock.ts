import { formatClock, tick } from "#app/enhance/tick.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";
import { SECOND } from "#app/kit/duration.ts";

/**
 * Counts down the seconds that were left when the server made the page (`data-left`), then reloads it to show what follows. The
 * device's clock may be wrong: by one that is ahead the page would be loaded too early, and find its end in the past.
 */
export class ExpiryClock extends HTMLElement {
  stop = () => {};

  connectedCallback() {
    const time = this.querySelector("time");
    const seconds = Number(this.dataset.left);
    if (!time || !(seconds > 0)) return;
    this.stop = tick(Date.now() + seconds * SECOND, (left) => {
      time.textContent = formatClock(left);
      if (left === 0) setTimeout(() => whenReachable(() => this.isConnected && location.reload()), 1000);
    });
  }

  /** Another screen replaced this one: a reload would lose what is typed there. */
  disconnectedCallback() {
    this.stop();
  }
}
