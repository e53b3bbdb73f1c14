import { formatClock, tick } from "#app/enhance/tick.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/**
 * Counts down to a moment the server set, then reloads the page to show what follows. `data-left`: the seconds that were left
 * when the page was made.
 */
export class ExpiryClock extends HTMLElement {
  stop = () => {};

  connectedCallback() {
    const time = this.querySelector("time");
    if (!time) return;
    const until = this.endOf(time);
    if (until <= Date.now()) return;
    this.stop = tick(until, (left) => {
      time.textContent = formatClock(left);
      if (left === 0) setTimeout(() => whenReachable(() => this.isConnected && location.reload()), 1000);
    });
  }

  /** By this device's clock, even where that is wrong: phones with old rules of daylight saving time are an hour off. */
  endOf({ dateTime }: HTMLTimeElement): number {
    const until = Date.parse(dateTime);
    const untilByServer = Date.now() + Number(this.dataset.left) * SECOND;
    return Math.abs(until - untilByServer) > MINUTE ? untilByServer : until;
  }

  /** Another screen replaced this one: a reload would lose what is typed there. */
  disconnectedCallback() {
    this.stop();
  }
}
