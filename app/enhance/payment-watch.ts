import { ask } from "#app/enhance/ask.ts";
import { whenReached } from "#app/enhance/when-reached.ts";
import { SECOND } from "#app/kit/duration.ts";

/** First look after 10 s, then every 30 s, at most 30 times, unless the server refuses to tell. Source: spec §9. */
const FIRST_LOOK = 10 * SECOND;
const LOOK_EVERY = 30 * SECOND;
const MOST_LOOKS = 30;

/** Standings that have a screen of their own and no banner that says so. */
const REDRAWN = new Set(["payable", "announced", "mispaid"]);

type Status = "pending" | "completed" | "failed";
type Told = { success?: boolean; status: Status; standing?: string; next_look_at?: string | null };

/**
 * Waits for the payment: told by the server (SSE), asking now and then where that is blocked, and at once when the buyer
 * comes back from the bank's app. Shows what it knows in the banner, and goes on when the PIX is paid.
 */
export class PaymentWatch extends HTMLElement {
  looks = 0;
  done = false;
  /** Whether the last look reached nobody. */
  isOffline = false;
  /** The form of a press that reached nobody: asked again as soon as there is a network. */
  unasked: HTMLFormElement | undefined;
  stream: EventSource | undefined;
  nextLookAt: number | null = null;
  /** Where the page is about to go. */
  goOn: (() => void) | undefined;

  connectedCallback() {
    this.listen();
    this.schedule(FIRST_LOOK);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.look(),
    );
    addEventListener("online", () => this.lookAgain());
    this.closest("main")
      ?.querySelector<HTMLFormElement>("form[data-check]")
      ?.addEventListener("submit", (event) => {
        event.preventDefault();
        this.check(event.target as HTMLFormElement);
      });
  }

  disconnectedCallback() {
    this.stream?.close();
  }

  listen() {
    this.stream = new EventSource(this.dataset.events ?? "");
    this.stream.addEventListener("status", (event) =>
      this.take((event as MessageEvent<string>).data as Status),
    );
    this.stream.addEventListener("standing", (event) => this.stand((event as MessageEvent<string>).data));
  }

  schedule(after: number) {
    setTimeout(async () => {
      if (this.done || !this.isConnected) return;
      // Where the network fails the browser connects again by itself; a refusal, as where too many pages are open, it takes
      // for the last word.
      const isRefused = this.stream?.readyState === EventSource.CLOSED;
      if (isRefused) this.listen();
      if (this.looks < MOST_LOOKS || isRefused) {
        this.looks += 1;
        await this.lookAgain();
      }
      this.schedule(LOOK_EVERY);
    }, after);
  }

  /** Asks for what is known, without making the server ask the provider. Failures are tried again. */
  async look(query = ""): Promise<Status | null> {
    if (this.done || !this.isConnected || !this.dataset.status) return null;
    this.isOffline = false;
    try {
      const answer = await ask(`${this.dataset.status}${query}`, {
        headers: { Accept: "application/json" },
      });
      if (!answer.ok) return null;
      const told = (await answer.json()) as Told;
      this.nextLookAt = told.next_look_at ? Date.parse(told.next_look_at) : null;
      if (told.success === false) return null;
      const { status } = told;
      this.stand(told.standing);
      this.take(status, query ? SECOND : 2 * SECOND);
      this.say("[data-last]", `Última verificação às ${new Date().toLocaleTimeString("pt-BR")}`);
      return status;
    } catch {
      this.isOffline = true;
      return null;
    }
  }

  /** Looks by itself; after a press that reached nobody, as that press would have. */
  async lookAgain() {
    if (this.unasked) await this.check(this.unasked);
    else await this.look();
  }

  /** 'Já paguei': asks for real, and says what came. */
  async check(form: HTMLFormElement) {
    const button = form.querySelector("button");
    const label = button?.querySelector("span");
    if (!button || !label || button.getAttribute("aria-disabled") === "true") return;
    const text = label.textContent;
    button.setAttribute("aria-disabled", "true");
    label.textContent = "Verificando pagamento...";
    const status = await this.look("?ask=1");
    button.setAttribute("aria-disabled", "false");
    label.textContent = text;
    this.unasked = status === null && this.isOffline ? form : undefined;
    const said = this.words(status);
    const answer = form.querySelector<HTMLElement>("[role=status]");
    if (!answer || this.done) return;
    answer.textContent = said;
    answer.hidden = !said;
  }

  words(status: Status | null): string {
    if (status === "pending")
      return `Pagamento ainda está pendente. Aguarde ou tente novamente em alguns instantes.${this.nextLook()}`;
    if (status) return "";
    return this.isOffline
      ? "Sem conexão com a internet. Se você já pagou, o pagamento não se perde: esta página confere de novo sozinha assim que a conexão voltar."
      : "Erro ao verificar status do pagamento. Se você já pagou, o pagamento não se perde: tente de novo em alguns instantes.";
  }

  /** When the bank may be asked again, after a question that came too early. */
  nextLook(): string {
    if (this.nextLookAt === null) return "";
    const seconds = Math.max(1, Math.ceil((this.nextLookAt - Date.now()) / SECOND));
    return ` Perguntamos de novo ao banco em ${seconds} segundos.`;
  }

  /**
   * What is no longer as the page shows it is drawn anew: a payment was announced, another amount came in, a code is there.
   * A page that shows none of this names no standing.
   */
  stand(told: string | undefined) {
    const { standing } = this.dataset;
    if (this.done || !told || !standing || told === standing || !REDRAWN.has(told)) return;
    this.leave(() => location.replace(location.href), told === "announced" ? 2 * SECOND : 0);
  }

  take(status: Status, patience = 2 * SECOND) {
    // Where the code ran out, its failure is no news: the page tells it already.
    if (this.done || (status !== "completed" && (status !== "failed" || "late" in this.dataset))) return;
    this.done = true;
    this.stream?.close();
    for (const state of this.querySelectorAll<HTMLElement>("[data-state]")) {
      state.hidden = state.dataset.state !== status;
    }
    const { paid, failed = location.href } = this.dataset;
    // Back does not lead to a code that failed.
    this.leave(() => (status === "completed" ? location.assign(paid!) : location.replace(failed)), patience);
  }

  /** Leaves once. What is told meanwhile says where to: a payment that was announced is mostly confirmed at once. */
  leave(goOn: () => void, patience: number) {
    if (!this.goOn) setTimeout(() => whenReached(() => this.isConnected && this.goOn?.()), patience);
    this.goOn = goOn;
  }

  say(where: string, text: string) {
    const at = this.querySelector(where);
    if (at) at.textContent = text;
  }
}
