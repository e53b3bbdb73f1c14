import { likelyAddress } from "#app/kit/mail-domain.ts";

/** The confirmed address: the buyer chose it, or submitted it again despite the suggestion. */
let confirmedAddress = "";

/** The e-mail field of a checkout. */
export function emailField(form: HTMLFormElement | null): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>("[name=customer_email]") ?? null;
}

/**
 * Suggests a correction for an address that looks mistyped: 'Você quis dizer ana@gmail.com?', with two choices. A
 * submit is held back once, and `proceed` sends it after the choice.
 * @returns whether the form waits for an answer
 */
export function suggestAddress(form: HTMLFormElement | null, proceed?: () => void): boolean {
  const input = emailField(form);
  const box = form?.querySelector<HTMLElement>(".ask");
  if (!input || !box) return false;
  const typed = input.value;
  const suggestion = likelyAddress(typed);
  box.replaceChildren();
  if (!suggestion || typed === confirmedAddress) return false;
  const choice = (text: string, mail: string) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn";
    button.textContent = text;
    button.onclick = () => {
      for (const field of form!.querySelectorAll<HTMLInputElement>("[type=email]"))
        if (field.value === typed) field.value = mail;
      confirmedAddress = mail;
      box.replaceChildren();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
      proceed?.();
    };
    return button;
  };
  box.append(
    `Você quis dizer ${suggestion}?`,
    choice(`Sim, usar ${suggestion}`, suggestion),
    choice(`Não, ${typed} está certo`, typed),
  );
  if (!proceed) return false;
  confirmedAddress = typed;
  // The question, not an answer: a second Enter would choose an address that nobody has read.
  box.focus();
  return true;
}
