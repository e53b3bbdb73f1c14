import { clock, tick } from "#app/enhance/tick.ts";
import { whenReached } from "#app/enhance/when-reached.ts";

/** Counts down to a moment the server set; then loads the page again, which knows what follows. */
export class ExpiryClock extends HTMLElement {
  stop = () => {};

  connectedCallback() {
    const time = this.querySelector("time");
    if (!time) return;
    const until = Date.parse(time.dateTime);
    if (until <= Date.now()) return;
    this.stop = tick(until, (left) => {
      time.textContent = clock(left);
      if (left === 0) setTimeout(() => whenReached(() => this.isConnected && location.reload()), 1000);
    });
  }

  /** Another screen took its place: what is typed there stays. */
  disconnectedCallback() {
    this.stop();
  }
}
