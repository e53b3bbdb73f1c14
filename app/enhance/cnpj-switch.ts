/** The button 'Usar CNPJ' gives the CPF's field a full keyboard and a CNPJ's example: a CNPJ may contain letters. */
export class CnpjSwitch extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    const toCnpj = this.querySelector("button");
    toCnpj?.addEventListener("click", () => {
      if (!input) return;
      input.inputMode = "text";
      input.placeholder = "00.000.000/0000-00";
      input.autocapitalize = "characters";
      toCnpj.hidden = true;
      input.focus();
    });
  }
}
