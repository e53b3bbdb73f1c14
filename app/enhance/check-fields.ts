import { emailField, suggestAddress } from "#app/enhance/suggest-address.ts";
import { cleanMail, findFault } from "#app/kit/buyer-fields.ts";
import { cleanDocument, formatDocument, isValidDocument } from "#app/kit/documents.ts";
import { formatPhone, parsePhone } from "#app/kit/phone.ts";

const CONFIRMATION_FIELD = "customer_email_confirmation";

/** Shows every mistake of a form beside its field and focuses the first. @returns whether there is none */
export function checkFields(form: HTMLFormElement): boolean {
  const wrong = [...form.querySelectorAll("input")].filter((input) => !showFault(input));
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** While typing, a message disappears once its mistake is corrected; leaving a field shows a mistake in its content. */
export function watchFields(): void {
  document.addEventListener("input", ({ target }) => {
    const input = target as HTMLInputElement;
    // Only a complete document is formatted: a mask that moves the cursor hurts more than it helps.
    if (input.name === "customer_document" && isValidDocument(input.value)) formatField(input);
    if (input.getAttribute("aria-invalid") === "true" || input.name === CONFIRMATION_FIELD) showFault(input);
    const confirmation = input.form?.elements.namedItem(CONFIRMATION_FIELD) as HTMLInputElement | null;
    if (input.name !== "customer_email") return;
    input.form?.querySelector(".ask")?.replaceChildren();
    if (confirmation?.value) showFault(confirmation);
  });
  document.addEventListener("change", ({ target }) => {
    const input = target as HTMLInputElement;
    formatField(input);
    if (input.value && showFault(input) && input.name === "customer_email") suggestAddress(input.form);
  });
}

function formatField(input: HTMLInputElement): void {
  const { name, value } = input;
  const phone = name === "customer_phone" && parsePhone(value);
  if (phone) input.value = formatPhone(phone);
  else if (name === "customer_document" && isValidDocument(value))
    input.value = formatDocument(cleanDocument(value));
  else if (input.type === "email") input.value = cleanMail(value);
}

/** @returns whether the field is right */
function showFault(input: HTMLInputElement): boolean {
  const { name, value, form } = input;
  const fault = findFault(name, value, input.required, emailField(form)?.value);
  const field = input.closest(".field");
  if (!field) return true;
  const id = `${name}-erro`;
  let message = document.getElementById(id);
  if (!message && (fault || name === CONFIRMATION_FIELD)) {
    message = document.createElement("p");
    message.id = id;
    // Compared while typing, so it is announced as it changes.
    if (name === CONFIRMATION_FIELD) message.setAttribute("role", "status");
    field.append(message);
  }
  const isMatching = name === CONFIRMATION_FIELD && !fault && value !== "";
  const prefix = name === CONFIRMATION_FIELD ? "⚠️ " : "";
  if (message) {
    message.className = isMatching ? "good" : "error";
    message.textContent = isMatching ? "✅ E-mails coincidem" : fault && prefix + fault;
  }
  input.classList.toggle("match", isMatching);
  input.setAttribute("aria-invalid", String(Boolean(fault)));
  if (message) input.setAttribute("aria-describedby", id);
  return !fault;
}
