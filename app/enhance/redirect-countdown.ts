import { tick } from "#app/enhance/tick.ts";
import { whenReached } from "#app/enhance/when-reached.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Takes the buyer on after a while, unless they say no. Whoever comes back from there stays. */
export class RedirectCountdown extends HTMLElement {
  connectedCallback() {
    const left = this.querySelector("b");
    const { href, seconds } = this.dataset;
    if (!left || !href || history.state?.gone) return;
    this.hidden = false;
    const goOn = () => {
      // They said no meanwhile.
      if (this.hidden) return;
      history.replaceState({ gone: true }, "");
      this.hidden = true;
      location.assign(href);
    };
    const stop = tick(Date.now() + Number(seconds) * SECOND, (remaining) => {
      left.textContent = String(remaining);
      if (remaining === 0) whenReached(goOn);
    });
    this.querySelector("button")?.addEventListener("click", () => {
      stop();
      this.hidden = true;
    });
  }
}
