// One card field, in a frame of its own. The frames of a page share this origin, and read each other through it.
(() => {
  const type = location.pathname.split("/").at(-1);
  const input = document.querySelector("input");
  let events;
  let bin = null;
  let wrong = "unknown";

  const STYLES = [
    ...["color", "fontFamily", "fontSize", "fontStyle", "fontVariant", "fontWeight", "height", "width"],
    ...["margin", "padding", "textAlign"],
  ];

  const digits = (text) => text.replace(/\D/g, "");
  const KINDS = {
    cardNumber: {
      write: (text) =>
        digits(text)
          .slice(0, 19)
          .replace(/(\d{4})(?=\d)/g, "$1 "),
      isWhole: (text) => digits(text).length >= 13 && hasValidCheckDigit(digits(text)),
    },
    expirationDate: {
      write: (text) =>
        digits(text)
          .slice(0, text.includes("/") ? 6 : 4)
          .replace(/^(\d\d)(?=\d)/, "$1/"),
      isWhole: (text) => /^(0[1-9]|1[0-2])\/(\d\d|\d{4})$/.test(text) && !isPast(text),
    },
    securityCode: {
      write: (text) => digits(text).slice(0, 4),
      isWhole: (text) => text.length >= 3,
    },
  };
  const { write, isWhole } = KINDS[type];

  function hasValidCheckDigit(number) {
    const sum = [...number].reverse().reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }

  function isPast(text) {
    const [month, year] = text.split("/").map(Number);
    return new Date(year < 100 ? 2000 + year : year, month) <= new Date();
  }

  const emit = (event, data = {}) => events?.postMessage({ event, data });

  function judge() {
    const cause = input.value === "" ? "invalid_length" : isWhole(input.value) ? null : "invalid_value";
    if (cause === wrong) return;
    wrong = cause;
    emit("validityChange", { errorMessages: cause ? [{ message: `${type} is wrong`, cause }] : [] });
  }

  input.addEventListener("input", () => {
    const written = write(input.value);
    if (written !== input.value) input.value = written;
    emit("change");
    judge();
    const number = digits(input.value);
    const known = type === "cardNumber" && number.length >= 8 ? number.slice(0, 8) : null;
    if (type === "cardNumber" && known !== bin) {
      bin = known;
      emit("binChange", { bin });
    }
  });
  input.addEventListener("focus", () => emit("focus"));
  input.addEventListener("blur", () => {
    judge();
    emit("blur");
  });

  addEventListener("message", ({ source, data, ports }) => {
    if (source !== parent || !data?.group || !ports[0]) return;
    const { settings } = data;
    // What the other frames of this page read; the page itself, being of another origin, cannot.
    window.cardField = { group: data.group, type, value: () => input.value };
    if (settings.placeholder) input.placeholder = settings.placeholder;
    if (settings.srLabel) input.setAttribute("aria-label", settings.srLabel);
    if (settings.ariaRequired) input.setAttribute("aria-required", "true");
    for (const name of STYLES) if (settings.style?.[name]) input.style[name] = settings.style[name];
    const { placeholderColor } = settings.style ?? {};
    if (placeholderColor) input.style.setProperty("--placeholder", placeholderColor);
    events = ports[0];
    events.onmessage = ({ data, ports }) => {
      if (data.does === "token") makeToken(data.request).then((answer) => ports[0].postMessage(answer));
      else if (data.does === "focus" || data.does === "blur") input[data.does]();
    };
    emit("ready");
  });

  function valuesOfGroup() {
    const values = {};
    for (let at = 0; at < parent.frames.length; at += 1) {
      try {
        const { cardField } = parent.frames[at];
        if (cardField?.group === window.cardField.group) values[cardField.type] = cardField.value();
      } catch {
        // A frame of another origin.
      }
    }
    return values;
  }

  async function makeToken({ publicKey, cardholder }) {
    const { cardNumber = "", expirationDate = "", securityCode = "" } = valuesOfGroup();
    const [month = "", year = ""] = expirationDate.split("/");
    try {
      const answer = await fetch(`/mercadopago/v1/card_tokens?public_key=${encodeURIComponent(publicKey)}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          card_number: digits(cardNumber),
          security_code: securityCode,
          expiration_month: month,
          expiration_year: year,
          cardholder,
        }),
      });
      const body = await answer.json();
      if (answer.ok) return { token: body };
      const causes = body.cause ?? body.errors ?? [{ code: String(answer.status), message: body.message }];
      return {
        causes: causes.map(({ code, description, message }) => ({ code, message: description ?? message })),
      };
    } catch (error) {
      return { causes: [{ code: "no_answer", message: String(error) }] };
    }
  }
})();
