import { fetchWithTimeout } from "#app/enhance/fetch-with-timeout.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";
import { SECOND } from "#app/kit/duration.ts";

/** First check after 10 s, then every 30 s, at most 30 times, unless the server refuses to answer. */
const FIRST_CHECK = 10 * SECOND;
const CHECK_INTERVAL = 30 * SECOND;
const MAX_CHECKS = 30;

const LAST_CHECK = "Esta página não verifica mais sozinha. Já pagou?";

/** Summaries that the banner shows before the page is left; of a failure only a page with a payable code has a banner. */
const BANNER_SUMMARIES = ["paid", "returned", "failed"];

type Status = "pending" | "completed" | "failed";
type StatusReply = { success?: boolean; status: Status; standing?: string; next_look_at?: string | null };

/**
 * Waits for the payment: notified by the server (SSE), with polling where that is blocked, and checking at once when
 * the buyer returns from the bank's app. Shows the status in the banner, and leaves the page when the PIX is paid.
 */
export class PaymentWatch extends HTMLElement {
  checks = 0;
  done = false;
  /** Whether the last check failed for lack of a network. */
  isOffline = false;
  /** The form of a click that did not reach the server: repeated as soon as there is a network. */
  unsentForm: HTMLFormElement | undefined;
  stream: EventSource | undefined;
  /** Whether an event arrived: the first one comes at once, unless a proxy holds them back. */
  isNotified = false;
  nextCheckAt: number | null = null;
  /** The pending navigation. */
  navigate: (() => void) | undefined;

  connectedCallback() {
    this.listen();
    this.schedule(FIRST_CHECK);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.checkStatus(),
    );
    addEventListener("online", () => this.checkAgain());
    this.closest("main")
      ?.querySelector<HTMLFormElement>("form[data-check]")
      ?.addEventListener("submit", (event) => {
        event.preventDefault();
        this.checkNow(event.target as HTMLFormElement);
      });
  }

  disconnectedCallback() {
    this.stream?.close();
  }

  listen() {
    this.stream = new EventSource(this.dataset.events ?? "");
    this.stream.addEventListener("status", (event) => {
      this.isNotified = true;
      this.applyStatus((event as MessageEvent<string>).data as Status);
    });
    this.stream.addEventListener("standing", (event) =>
      this.applySummary((event as MessageEvent<string>).data),
    );
  }

  schedule(after: number) {
    setTimeout(async () => {
      if (this.done || !this.isConnected) return;
      // On a network failure the browser reconnects by itself; a refusal, such as too many open pages, is final for it.
      const isRefused = this.stream?.readyState === EventSource.CLOSED;
      if (isRefused) this.listen();
      if (this.checks < MAX_CHECKS || isRefused) {
        this.checks += 1;
        await this.checkAgain();
      } else if (!this.isNotified) this.setText("[data-last]", LAST_CHECK);
      this.schedule(CHECK_INTERVAL);
    }, after);
  }

  /** Fetches the stored status, without a check at the provider. Failures are retried. */
  async checkStatus(query = ""): Promise<Status | null> {
    if (this.done || !this.isConnected || !this.dataset.status) return null;
    this.isOffline = false;
    try {
      const answer = await fetchWithTimeout(`${this.dataset.status}${query}`, {
        headers: { Accept: "application/json" },
      });
      if (!answer.ok) return null;
      const reply = (await answer.json()) as StatusReply;
      this.nextCheckAt = reply.next_look_at ? Date.parse(reply.next_look_at) + clockErrorOf(answer) : null;
      if (reply.success === false) return null;
      const { status } = reply;
      this.applySummary(reply.standing);
      this.applyStatus(status, query ? SECOND : 2 * SECOND);
      this.setText("[data-last]", `Última verificação às ${new Date().toLocaleTimeString("pt-BR")}`);
      return status;
    } catch {
      this.isOffline = true;
      return null;
    }
  }

  /** Checks by itself; if a click did not reach the server, repeats that click. */
  async checkAgain() {
    if (this.unsentForm) await this.checkNow(this.unsentForm);
    else await this.checkStatus();
  }

  /** 'Já paguei': has the provider checked, and shows the result. */
  async checkNow(form: HTMLFormElement) {
    const button = form.querySelector("button");
    const label = button?.querySelector("span");
    if (!button || !label || button.getAttribute("aria-disabled") === "true") return;
    const text = label.textContent;
    button.setAttribute("aria-disabled", "true");
    label.textContent = "Verificando pagamento...";
    const status = await this.checkStatus("?ask=1");
    button.setAttribute("aria-disabled", "false");
    label.textContent = text;
    this.unsentForm = status === null && this.isOffline ? form : undefined;
    const statusMessage = this.statusText(status);
    const answer = form.querySelector<HTMLElement>("[role=status]");
    if (!answer || this.done) return;
    answer.textContent = statusMessage;
    answer.hidden = !statusMessage;
  }

  statusText(status: Status | null): string {
    if (status === "pending")
      return `Pagamento ainda está pendente. Aguarde ou tente novamente em alguns instantes.${this.nextCheckText()}`;
    if (status) return "";
    return this.isOffline
      ? "Sem conexão com a internet. Se você já pagou, o pagamento não se perde: esta página confere de novo sozinha assim que a conexão voltar."
      : "Erro ao verificar status do pagamento. Se você já pagou, o pagamento não se perde: tente de novo em alguns instantes.";
  }

  /** When the next check is possible, after one that came too early. */
  nextCheckText(): string {
    if (this.nextCheckAt === null) return "";
    const seconds = Math.max(1, Math.ceil((this.nextCheckAt - Date.now()) / SECOND));
    return ` Perguntamos de novo ao banco em ${seconds} segundos.`;
  }

  /**
   * Reloads the page when the payment summary changed: a payment was announced, another amount arrived, a code exists,
   * expired or could not be created.
   * A page that shows none of these has no summary attribute.
   */
  applySummary(summary: string | undefined) {
    const { standing: shownSummary } = this.dataset;
    if (this.done || !summary || !shownSummary || summary === shownSummary) return;
    if (BANNER_SUMMARIES.includes(summary) && !(summary === "failed" && "late" in this.dataset)) return;
    this.leave(() => location.replace(location.href), summary === "announced" ? 2 * SECOND : 0);
  }

  applyStatus(status: Status, delay = 2 * SECOND) {
    // A page without a payable code has no banner of a failure: `applySummary` reloads it.
    if (this.done || (status !== "completed" && (status !== "failed" || "late" in this.dataset))) return;
    this.done = true;
    this.stream?.close();
    for (const state of this.querySelectorAll<HTMLElement>("[data-state]")) {
      state.hidden = state.dataset.state !== status;
    }
    const { paid, failed = location.href } = this.dataset;
    // Back must not lead to a failed code.
    this.leave(() => (status === "completed" ? location.assign(paid!) : location.replace(failed)), delay);
  }

  /** Leaves once. A later status replaces the target: an announced payment is usually confirmed at once. */
  leave(navigate: () => void, delay: number) {
    if (!this.navigate) setTimeout(() => whenReachable(() => this.isConnected && this.navigate?.()), delay);
    this.navigate = navigate;
  }

  setText(selector: string, text: string) {
    const at = this.querySelector(selector);
    if (at) at.textContent = text;
  }
}

/** How far this device's clock is ahead of the server's, in milliseconds. */
function clockErrorOf({ headers }: Response): number {
  return Date.now() - (Date.parse(headers.get("date") ?? "") || Date.now());
}
