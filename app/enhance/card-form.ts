import { alertOf, describeTokenFaults, formPageOf, loadScript } from "#app/enhance/card-answer.ts";
import { fetchWithTimeout } from "#app/enhance/fetch-with-timeout.ts";
import { disableButton, showUnsent } from "#app/enhance/send-forms.ts";
import { whenReachable } from "#app/enhance/when-reachable.ts";
import { findHolderFault, HOLDER_FIELDS } from "#app/kit/buyer-fields.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A provider's SDK with fields in frames of its own. */
type Field = {
  mount(elementId: string): Field;
  on(event: string, listener: (data: { bin?: string | null }) => void): Field;
};
type CardSdk = {
  fields: {
    create(kind: string, options: object): Field;
    createCardToken(holder: object): Promise<{ id: string }>;
  };
};
type CardBrand = { brand: string | null; instalments: { count: number; text: string }[] };

const FIELDS = {
  "numero-cartao": "cardNumber",
  "validade-cartao": "expirationDate",
  "codigo-cartao": "securityCode",
};
/** Blocked by a network or an extension, the SDK reports nothing at all. */
const LOAD_TIMEOUT = 15 * SECOND;
/** Without a brand the button waits for it. */
const BRAND_TIMEOUT = 15 * SECOND;
/** The bank is asked meanwhile. */
const PAY_TIMEOUT = 40 * SECOND;

const NOT_LOADED =
  "Não foi possível carregar os campos do cartão: a rede ou uma extensão do navegador pode estar bloqueando. Recarregue a página ou pague com PIX.";
const CHECK_CARD = "Confira o número, a validade e o código de segurança do cartão.";
const NOT_A_CREDIT_CARD = "Este número não é de um cartão de crédito que podemos receber.";
const BRAND_UNKNOWN =
  "Não conseguimos consultar este cartão agora. Tente de novo em alguns instantes ou pague com PIX.";
const OTHER_INSTALMENTS = "As parcelas deste cartão são outras. Nada foi cobrado: confira e toque de novo.";
const LOST =
  "A conexão caiu enquanto o cartão era enviado. Não pague de novo: estamos conferindo o que aconteceu.";
const NOT_SENT =
  "A conexão caiu, e o cartão não chegou ao banco: nada foi cobrado até agora. Toque de novo em “Pagar com cartão”. O mesmo pedido não é cobrado duas vezes no cartão.";

/**
 * Turns the card's form into a working one: the provider's script puts its fields into frames, and makes of them the token that
 * is sent. No digit of a card is readable here, except the first eight, which tell the brand.
 */
export function setUpCardForm(form: HTMLFormElement): void {
  const { sdk: sdkUrl, sdkName, device, deviceName, publicKey } = form.dataset;
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")!;
  const select = form.querySelector("select")!;
  /** What the buyer chose, which not every card's list has. */
  let chosenCount = select.value;
  const shownInstalments = () => select.options[select.selectedIndex]!.text;
  /** What the buyer chose, or saw as they pressed the button. */
  let agreed = shownInstalments();
  let sdk: CardSdk | null = null;
  let isSending = false;
  let isFailed = false;
  /** The first digits of the card, and whether a credit card begins so. */
  let bin = "";
  let isCredit = true;
  const failLoading = () => {
    if (sdk && ready.size === Object.keys(FIELDS).length) return;
    isFailed = true;
    tell(NOT_LOADED);
  };
  const ready = new Set<string>();
  const timer = setTimeout(failLoading, LOAD_TIMEOUT);
  document.addEventListener("securitypolicyviolation", (event) => {
    if (event.effectiveDirective !== "img-src") failLoading();
  });
  loadScript(device!, () => {});
  loadScript(sdkUrl!, mountFields, failLoading);

  select.addEventListener("change", () => {
    chosenCount = select.value;
    agreed = shownInstalments();
    showError(select, null);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isSending) void pay();
  });

  function mountFields() {
    const Sdk = Reflect.get(globalThis, sdkName!) as new (key: string, options: object) => CardSdk;
    if (!Sdk) return failLoading();
    sdk = new Sdk(publicKey!, { locale: "pt-BR", advancedFraudPrevention: false, trackingDisabled: true });
    const { color, fontSize } = getComputedStyle(form.querySelector("input")!);
    for (const [id, kind] of Object.entries(FIELDS)) {
      const box = document.getElementById(id)!;
      const options = {
        style: { color, fontSize, height: "46px" },
        srLabel: box.dataset.label,
        ariaRequired: true,
      };
      const field = sdk.fields.create(kind, options).mount(id);
      field.on("ready", () => {
        ready.add(kind);
        if (ready.size < Object.keys(FIELDS).length) return;
        clearTimeout(timer);
        form.dataset.ready = "";
        // It came late.
        if (isFailed) tell("");
      });
      field.on("focus", () => box.classList.add("is-focused"));
      field.on("blur", () => box.classList.remove("is-focused"));
      if (kind === "cardNumber") field.on("binChange", (data) => void showInstalments(data.bin ?? ""));
    }
  }

  async function pay() {
    if (!sdk)
      return tell(isFailed ? NOT_LOADED : "Os campos do cartão ainda estão carregando. Espere um instante.");
    const wrong = HOLDER_FIELDS.map(input).filter(
      (field, at) => !showError(field, findHolderFault(HOLDER_FIELDS[at]!, field.value)),
    );
    tell("");
    if (wrong[0]) return wrong[0].focus();
    isSending = true;
    const enableButton = disableButton(button);
    try {
      setValue("token", await createToken(sdk));
      setValue("device_id", String(Reflect.get(globalThis, deviceName!) ?? ""));
      await send();
    } catch (error) {
      tell(error instanceof Error ? error.message : CHECK_CARD);
    } finally {
      isSending = false;
      enableButton();
    }
  }

  /** @throws Error with a message for the buyer */
  async function createToken(from: CardSdk): Promise<string> {
    if (!input("brand").value && bin) await showInstalments(bin);
    if (!input("brand").value)
      throw new Error(isCredit ? (bin ? BRAND_UNKNOWN : CHECK_CARD) : NOT_A_CREDIT_CARD);
    const isOther = shownInstalments() !== agreed;
    agreed = shownInstalments();
    if (isOther) throw new Error(OTHER_INSTALMENTS);
    const digits = input("holder_document").value.replace(/\W/g, "");
    try {
      const { id } = await from.fields.createCardToken({
        cardholderName: input("holder_name").value,
        identificationType: digits.length === 11 ? "CPF" : "CNPJ",
        identificationNumber: digits,
      });
      return id;
    } catch (thrown) {
      const texts = JSON.parse(form.dataset.tokenErrors ?? "{}") as Record<string, string>;
      throw new Error(describeTokenFaults(thrown, texts) || CHECK_CARD);
    }
  }

  /** @param isRepeated after the card's bank demanded a challenge, which this time is requested */
  async function send(isRepeated = false): Promise<void> {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    const headers = { "X-Requested-With": "fetch" };
    const sent = fetchWithTimeout(form.action, { method: "POST", body, headers }, PAY_TIMEOUT);
    const answer = await sent.catch(() => null);
    const next = answer?.headers.get("location");
    if (next) return location.assign(next);
    const page = answer && (await formPageOf(answer));
    // The card may have been charged: once the shop can be reached, it says what became of it.
    if (!page) {
      whenReachable(findOut);
      if (!answer?.ok) throw new Error(LOST);
      return;
    }
    if (page.querySelector("[name=pays_anyway][value='1']")) setValue("pays_anyway", "1");
    if (page.querySelector("[data-challenge-required]") && !isRepeated) {
      setValue("token", await createToken(sdk!));
      return send(true);
    }
    const { text, link } = alertOf(page);
    tell(text || CHECK_CARD, link);
  }

  /** Where no card was sent the form stays, with what was typed; its buyer may be sending it again by now. */
  async function findOut() {
    const answer = await fetchWithTimeout(location.href, { redirect: "manual" }).catch(() => null);
    const page = answer?.ok ? await formPageOf(answer) : null;
    if (!page) location.reload();
    else if (!isSending) tell(alertOf(page).text || NOT_SENT);
  }

  /** Looks the card's brand up. Until it is known the card is not sent: with another one it would be declined. */
  async function showInstalments(typed: string) {
    bin = typed.slice(0, 8);
    setValue("brand", "");
    isCredit = true;
    if (!/^\d{8}$/.test(bin)) return;
    const asked = bin;
    const found = await askBrand(asked).catch(() => null);
    // Another card was typed meanwhile.
    if (asked !== bin || !found) return;
    const { brand, instalments } = found;
    isCredit = brand !== null;
    setValue("brand", brand ?? "");
    tell(isCredit ? "" : NOT_A_CREDIT_CARD);
    // Without an answer of the provider the list has one payment only, which nobody chose.
    if (!brand || instalments.length === 0) return;
    select.replaceChildren(...instalments.map(({ count, text }) => new Option(text, String(count))));
    select.value = chosenCount;
    const isMissing = select.selectedIndex < 0;
    if (isMissing) select.selectedIndex = 0;
    showError(select, isMissing ? `Este cartão não parcela em ${chosenCount}x. Escolha de novo.` : null);
  }

  async function askBrand(digits: string): Promise<CardBrand | null> {
    const answer = await fetchWithTimeout(`${form.dataset.instalments}?bin=${digits}`, {}, BRAND_TIMEOUT);
    return answer.ok ? answer.json() : null;
  }

  function input(name: string): HTMLInputElement {
    return form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  }

  function setValue(name: string, value: string) {
    input(name).value = value;
  }

  function tell(message: string, link: Element | null = null) {
    for (const old of form.querySelectorAll("#erros, .unsent")) old.remove();
    if (!message) return;
    showUnsent(button, message);
    const alert = form.querySelector(".unsent")!;
    if (link) alert.append(" ", link);
    alert.scrollIntoView({ block: "nearest" });
  }
}

/** Shows what is wrong with a field beside it, as the server's page does; null: nothing is. @returns whether it is right */
function showError(input: HTMLInputElement | HTMLSelectElement, fault: string | null): boolean {
  const id = `${input.name}-erro`;
  document.getElementById(id)?.remove();
  input.setAttribute("aria-invalid", String(fault !== null));
  input.removeAttribute("aria-describedby");
  if (fault === null) return true;
  const message = document.createElement("p");
  message.id = id;
  message.className = "error";
  message.textContent = fault;
  input.closest(".field")!.append(message);
  input.setAttribute("aria-describedby", id);
  return false;
}
