import { cleanDocument, formatDocument, isValidDocument } from "#app/kit/documents.ts";

/** Dots and dashes for CPF and CNPJ, the numeric keyboard for a CPF, and the check digits before submitting. */
export class DocumentMask extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    if (!input) return;
    const check = () => {
      const document = cleanDocument(input.value);
      const whole = document.length === 11 || document.length === 14;
      // Only a whole document is rewritten: a mask that fights the cursor costs more than it helps.
      if (whole && isValidDocument(document)) input.value = formatDocument(document);
      input.setCustomValidity(document === "" || isValidDocument(document) ? "" : "CPF/CNPJ inválido");
    };
    input.addEventListener("input", check);
    if (input.value) check();
    const toCnpj = this.querySelector("button");
    toCnpj?.addEventListener("click", () => {
      // A CNPJ may hold letters, which the numeric keyboard has not.
      input.inputMode = "text";
      input.placeholder = "00.000.000/0000-00";
      input.autocapitalize = "characters";
      toCnpj.hidden = true;
      input.focus();
    });
  }
}
