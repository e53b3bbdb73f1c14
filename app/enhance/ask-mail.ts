import { likelyMail } from "#app/kit/mail-domain.ts";

/** The address that stands: the buyer chose it, or was asked about it and pressed the button all the same. */
let settled = "";

/** Where a checkout asks for the address. */
export function mailField(form: HTMLFormElement | null): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>("[name=customer_email]") ?? null;
}

/**
 * Asks about an address that looks mistyped: 'Você quis dizer ana@gmail.com?', with two choices. A form that is sent is
 * held back once, and `goOn` sends it after the choice.
 * @returns whether the form waits for an answer
 */
export function askMail(form: HTMLFormElement | null, goOn?: () => void): boolean {
  const input = mailField(form);
  const box = form?.querySelector(".ask");
  if (!input || !box) return false;
  const typed = input.value;
  const better = likelyMail(typed);
  box.replaceChildren();
  if (!better || typed === settled) return false;
  const choice = (text: string, mail: string) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn";
    button.textContent = text;
    button.onclick = () => {
      for (const field of form!.querySelectorAll<HTMLInputElement>("[type=email]"))
        if (field.value === typed) field.value = mail;
      settled = mail;
      box.replaceChildren();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
      goOn?.();
    };
    return button;
  };
  const yes = choice(`Sim, usar ${better}`, better);
  box.append(`Você quis dizer ${better}?`, yes, choice(`Não, ${typed} está certo`, typed));
  if (!goOn) return false;
  settled = typed;
  yes.focus();
  return true;
}
