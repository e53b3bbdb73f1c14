import { tick } from "#app/enhance/tick.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Redirects the buyer after a countdown, unless they cancel. Whoever comes back from there stays. */
export class RedirectCountdown extends HTMLElement {
  connectedCallback() {
    const left = this.querySelector("b");
    const { href, seconds } = this.dataset;
    if (!left || !href || history.state?.gone) return;
    this.hidden = false;
    const redirect = () => {
      // Cancelled meanwhile.
      if (this.hidden) return;
      history.replaceState({ gone: true }, "");
      this.hidden = true;
      location.assign(href);
    };
    const stop = tick(Date.now() + Number(seconds) * SECOND, (remaining) => {
      left.textContent = String(remaining);
      if (remaining === 0) whenReachable(redirect);
    });
    this.querySelector("button")?.addEventListener("click", () => {
      stop();
      this.hidden = true;
    });
  }
}
