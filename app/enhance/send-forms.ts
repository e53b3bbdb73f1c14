import { fetchWithTimeout } from "#app/enhance/fetch-with-timeout.ts";
import { makeAlert } from "#app/enhance/hold-links-offline.ts";
import { clearTyped } from "#app/enhance/persist-typed.ts";
import { reportStep } from "#app/enhance/report-visit.ts";
import { SECOND } from "#app/kit/duration.ts";
import { RETRY_PARAMETER } from "#app/kit/paths.ts";

/** The next page loads meanwhile, unless the buyer stopped it. */
const NAVIGATION_TIMEOUT = 15 * SECOND;

const BROWSER_ID_KEY = "comprador";
let unstoredId = "";

/**
 * Sends the page's own forms without leaving the page, so that a network failure loses nothing typed. The server
 * answers with the next address, or with a page whose content replaces this one's.
 * @param isReady whether a form may be sent; while it waits for the buyer's answer, `proceed` sends it
 */
export function sendForms(isReady: (form: HTMLFormElement, proceed: () => void) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const { name, form } = event.target as HTMLInputElement;
    if (event.key !== "Enter" || name !== "coupon") return;
    event.preventDefault();
    form?.querySelector<HTMLElement>("[name=intent]")?.click();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const [only, another] = form.querySelectorAll<HTMLButtonElement>("button:not([type=button])");
    // Old browsers do not name the submitter.
    const submitter = (event.submitter as HTMLButtonElement | null) ?? (another ? null : only);
    // Enter presses a hidden button: the visible one shows that the order is being sent.
    const button = submitter?.matches(".hush") ? form.querySelector<HTMLButtonElement>(".buy") : submitter;
    // The answer of another page needs its own address and script.
    const isOurs = form.method === "post" && form.action.startsWith(location.origin + location.pathname);
    if (event.defaultPrevented || !isOurs || !button) return;
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    if (button.formNoValidate || isReady(form, () => button.click())) void send(form, button);
  });
}

async function send(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const enableButton = disableButton(button);
  let message = button.dataset.unsent ?? "Não conseguimos enviar. Confira a sua conexão e tente novamente.";
  try {
    const answer = await fetchWithTimeout(form.action, {
      method: "POST",
      body: bodyOf(form, button),
      headers: { "X-Requested-With": "fetch" },
    });
    const next = answer.headers.get("location");
    if (next) {
      if (form.matches(".checkout")) {
        clearTyped();
        markRetry();
      }
      location.assign(next);
      setTimeout(enableButton, NAVIGATION_TIMEOUT);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector<HTMLElement>("main.page");
    // Typed fields are replaced only if the answer contains a form with them, or if there is nothing left to fill in.
    if (main && (answer.ok || answer.status === 404 || main.querySelector("form"))) {
      document.title = page.title;
      return showMain(main);
    }
    message = main?.querySelector("p")?.textContent ?? message;
  } catch {
    // Offline, stopped, or too slow.
  }
  // Sent again it is the same order.
  enableButton();
  showUnsent(button, message);
}

/** Shows above a button why its form was not sent. The next press removes it. */
export function showUnsent(button: HTMLButtonElement, message: string): void {
  button.before(makeAlert("is-error unsent", message));
}

function bodyOf(form: HTMLFormElement, button: HTMLButtonElement): URLSearchParams {
  const data = new FormData(form);
  if (button.name) data.set(button.name, button.value);
  if (form.matches(".checkout")) {
    // The suggestion for a mistyped address was shown here already.
    data.set("mail_asked", String(data.get("customer_email") ?? ""));
    data.set("own_name", browserId());
    // A buyer with a prefilled form begins by sending it.
    data.set("seen_for", String(reportStep("begun")));
  }
  return new URLSearchParams(data as unknown as Record<string, string>);
}

/** An id by which the server recognizes this browser, even if its network changes. */
export function browserId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const fresh = Array.from(bytes, (byte) => (byte % 16).toString(16)).join("");
  try {
    const stored = localStorage.getItem(BROWSER_ID_KEY) ?? fresh;
    localStorage.setItem(BROWSER_ID_KEY, stored);
    return stored;
  } catch {
    // Storage may be blocked; the id then lives as long as the page.
    unstoredId ||= fresh;
    return unstoredId;
  }
}

/**
 * Shows that the form is being sent, and prevents a second click and changes that the answer would overwrite.
 * @returns enables the button and its form again
 */
export function disableButton(button: HTMLButtonElement): () => void {
  button.form!.querySelector(".unsent")?.remove();
  const label = button.querySelector("span");
  const text = label?.textContent ?? "";
  button.setAttribute("aria-disabled", "true");
  button.form!.inert = true;
  if (label) label.textContent = button.dataset.busy ?? text;
  const enableButton = () => {
    button.setAttribute("aria-disabled", "false");
    if (label) label.textContent = text;
    button.form!.inert = false;
    button.focus();
  };
  // The Back button restores the page as it was left.
  addEventListener("pageshow", (event) => event.persisted && enableButton());
  return enableButton;
}

/**
 * Marks the address, so that Back from the next page gets a form filled by the server, if the browser does not restore
 * it.
 */
function markRetry(): void {
  const url = new URL(location.href);
  url.searchParams.set(RETRY_PARAMETER, "1");
  history.replaceState(null, "", url);
}

function showMain(main: HTMLElement): void {
  document.querySelector("main")!.replaceWith(main);
  const first =
    main.querySelector<HTMLElement>("#coupon[aria-invalid], .coupon .good[autofocus]") ??
    main.querySelector<HTMLElement>("[aria-invalid=true], #erros, [role=alert]") ??
    main;
  if (!first.matches("input, textarea")) first.tabIndex = -1;
  first.focus();
}
