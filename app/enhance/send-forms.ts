import { ask } from "#app/enhance/ask.ts";
import { forgetTyped } from "#app/enhance/keep-typed.ts";
import { tell } from "#app/enhance/tell-visit.ts";
import { SECOND } from "#app/kit/duration.ts";
import { RETRY } from "#app/kit/paths.ts";

/** The next page comes meanwhile, unless its buyer stopped it. */
const LEAVING = 15 * SECOND;

const OWN_NAME = "comprador";

/**
 * Sends the page's own forms without leaving the page, so that a network that fails takes nothing typed away. The server
 * names the next address, or answers with a page whose content takes the place of this one's.
 * @param isReady whether a form may go; where it waits for its buyer's answer, `goOn` sends it
 */
export function sendForms(isReady: (form: HTMLFormElement, goOn: () => void) => boolean): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const buttons = form.querySelectorAll<HTMLButtonElement>("button:not([type=button])");
    // An old browser does not say which button was pressed.
    const button = (event.submitter as HTMLButtonElement | null) ?? buttons[0];
    const isOurs = form.method === "post" && form.action.startsWith(`${location.origin}/`);
    if (event.defaultPrevented || !isOurs || !button || (!event.submitter && buttons.length > 1)) return;
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    if (isReady(form, () => button.click())) void send(form, button);
  });
}

async function send(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const free = hold(button);
  let words = button.dataset.unsent ?? "Não conseguimos enviar. Confira a sua conexão e tente novamente.";
  try {
    const answer = await ask(form.action, {
      method: "POST",
      body: bodyOf(form, button),
      headers: { "X-Requested-With": "fetch" },
    });
    const next = answer.headers.get("location");
    if (next) {
      if (form.matches(".checkout")) {
        forgetTyped();
        keepWayBack();
      }
      location.assign(next);
      setTimeout(free, LEAVING);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main.page");
    // What was typed goes only where the page brings it back, or where there is nothing left to fill in.
    if (main && (answer.ok || answer.status === 404 || main.querySelector("form"))) {
      document.title = page.title;
      return show(main);
    }
    words = main?.querySelector("p")?.textContent ?? words;
  } catch {
    // Offline, stopped, or too slow.
  }
  // Sent again it is the same order.
  free();
  const said = document.createElement("p");
  said.className = "alert is-error unsent";
  said.setAttribute("role", "alert");
  said.textContent = words;
  button.before(said);
}

function bodyOf(form: HTMLFormElement, button: HTMLButtonElement): URLSearchParams {
  const data = new FormData(form);
  if (button.name) data.set(button.name, button.value);
  if (form.matches(".checkout")) {
    // A mistyped address was asked about here.
    data.set("mail_asked", String(data.get("customer_email") ?? ""));
    data.set("own_name", ownName());
    // Who came with everything filled in begins by sending it.
    data.set("seen_for", String(tell("begun")));
  }
  return new URLSearchParams(data as unknown as Record<string, string>);
}

/** What the server knows this browser by, however its network changes. */
export function ownName(): string {
  const fresh = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  try {
    const kept = localStorage.getItem(OWN_NAME) ?? fresh;
    localStorage.setItem(OWN_NAME, kept);
    return kept;
  } catch {
    // Storage may be closed to us; the name lasts as long as the page.
    document.body.dataset.name ??= fresh;
    return document.body.dataset.name;
  }
}

/** The button says that it is working, and cannot be pressed twice. @returns how to give it back */
function hold(button: HTMLButtonElement): () => void {
  button.parentElement?.querySelector(".unsent")?.remove();
  const label = button.querySelector("span");
  const text = label?.textContent ?? "";
  button.setAttribute("aria-disabled", "true");
  if (label) label.textContent = button.dataset.busy ?? text;
  const free = () => {
    button.setAttribute("aria-disabled", "false");
    if (label) label.textContent = text;
  };
  // Coming back by the Back button finds the page as it was left.
  addEventListener("pageshow", (event) => event.persisted && free());
  return free;
}

/** Back from the next page finds the form filled by the server, where the browser keeps none. */
function keepWayBack(): void {
  const url = new URL(location.href);
  url.searchParams.set(RETRY, "1");
  history.replaceState(history.state, "", url);
}

function show(main: Element): void {
  document.querySelector("main")!.replaceWith(main);
  const first = main.querySelector<HTMLElement>("input[aria-invalid=true], #erros, [role=alert]") ?? main;
  if (first.tagName !== "INPUT") first.setAttribute("tabindex", "-1");
  (first as HTMLElement).focus();
}
