import { askMail, mailField } from "#app/enhance/ask-mail.ts";
import { cleanMail, faultOf } from "#app/kit/buyer-fields.ts";
import { cleanDocument, formatDocument, isValidDocument } from "#app/kit/documents.ts";
import { formatPhone, parsePhone } from "#app/kit/phone.ts";

const AGAIN = "customer_email_confirmation";

/** Tells every mistake of a form at once, each beside its field, and goes to the first. @returns whether there is none */
export function checkFields(form: HTMLFormElement): boolean {
  const wrong = [...form.querySelectorAll("input")].filter((input) => !tell(input));
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** While typing, a mistake goes as soon as it is mended; leaving a field tells what is wrong with what it holds. */
export function watchFields(): void {
  document.addEventListener("input", ({ target }) => {
    const input = target as HTMLInputElement;
    // Only a whole document is rewritten: a mask that fights the cursor costs more than it helps.
    if (input.name === "customer_document" && isValidDocument(input.value)) tidy(input);
    if (input.getAttribute("aria-invalid") === "true" || input.name === AGAIN) tell(input);
    const again = input.form?.elements.namedItem(AGAIN) as HTMLInputElement | null;
    if (input.name !== "customer_email") return;
    input.form?.querySelector(".ask")?.replaceChildren();
    if (again?.value) tell(again);
  });
  document.addEventListener("change", ({ target }) => {
    const input = target as HTMLInputElement;
    tidy(input);
    if (input.value && tell(input) && input.name === "customer_email") askMail(input.form);
  });
}

function tidy(input: HTMLInputElement): void {
  const { name, value } = input;
  const phone = name === "customer_phone" && parsePhone(value);
  if (phone) input.value = formatPhone(phone);
  else if (name === "customer_document" && isValidDocument(value))
    input.value = formatDocument(cleanDocument(value));
  else if (input.type === "email") input.value = cleanMail(value);
}

/** @returns whether the field is right */
function tell(input: HTMLInputElement): boolean {
  const { name, value, form } = input;
  const fault = faultOf(name, value, input.required, mailField(form)?.value);
  const field = input.closest(".field");
  if (!field) return true;
  const id = `${name}-erro`;
  let said = document.getElementById(id);
  if (!said && (fault || name === AGAIN)) {
    said = document.createElement("p");
    said.id = id;
    // Compared while typing, so it is told as it changes.
    if (name === AGAIN) said.setAttribute("role", "status");
    field.append(said);
  }
  const isSame = name === AGAIN && !fault && value !== "";
  const mark = name === AGAIN ? "⚠️ " : "";
  if (said) {
    said.className = isSame ? "good" : "error";
    said.textContent = isSame ? "✅ E-mails coincidem" : fault && mark + fault;
  }
  input.classList.toggle("match", isSame);
  input.setAttribute("aria-invalid", String(Boolean(fault)));
  if (said) input.setAttribute("aria-describedby", id);
  return !fault;
}
