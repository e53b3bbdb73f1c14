// Mercado Pago's script for the shop's page: card fields in frames of another origin, whose contents the page cannot read.
(() => {
  const own = new URL(document.currentScript.src);
  const host = own.hostname === "localhost" ? "127.0.0.1" : "localhost";
  const origin = `${own.protocol}//${host}${own.port && `:${own.port}`}`;
  const address = `${origin}/mercadopago/fields`;

  const TYPES = ["cardNumber", "expirationDate", "securityCode"];
  const EVENTS = ["ready", "focus", "blur", "change", "validityChange", "error", "binChange"];

  // Fetched first, like the real one: where the page forbids it, no frame is made and no event comes.
  let reached;
  const reach = () => {
    reached ??= fetch(`${address}/health`, { credentials: "omit" }).then((answer) => {
      if (!answer.ok) throw new Error(`fields answered ${answer.status}`);
    });
    return reached;
  };

  /** One field of a `group`; `mounted` has, by type, how to make a token from its frame. */
  function createField(type, options, group, mounted) {
    if (!TYPES.includes(type)) throw new Error(`Field type ${type} is not supported`);
    const callbacks = new Map();
    const emit = (event, data) => {
      for (const callback of callbacks.get(event) ?? []) callback({ field: type, ...data });
    };
    let frame;
    let port;

    function connect() {
      const channel = new MessageChannel();
      port = channel.port1;
      port.onmessage = ({ data }) => emit(data.event, data.data);
      // Only plain settings reach the frame.
      const settings = JSON.parse(JSON.stringify(options));
      frame.contentWindow.postMessage({ group, settings }, origin, [channel.port2]);
    }

    /** Lets this field's frame make the token, from what is in all of the group's. */
    function makeToken(request) {
      if (!port) return Promise.reject([{ code: "not_ready", message: "The fields are not ready" }]);
      const { port1, port2 } = new MessageChannel();
      return new Promise((resolve, reject) => {
        port1.onmessage = ({ data }) => {
          port1.close();
          if (data.token) resolve(data.token);
          else reject(data.causes);
        };
        port.postMessage({ does: "token", request }, [port2]);
      });
    }

    const field = {
      type,
      mount(id) {
        const container = document.getElementById(id);
        if (!container) throw new Error(`There is no element ${id}`);
        if (frame) throw new Error(`Field ${type} is already mounted`);
        frame = document.createElement("iframe");
        frame.name = type;
        frame.title = options.srLabel ?? type;
        frame.src = `${address}/${type}`;
        frame.style.border = "0";
        frame.style.width = "100%";
        frame.style.height = "100%";
        frame.addEventListener("load", connect);
        mounted.set(type, makeToken);
        const made = frame;
        reach().then(
          () => made === frame && container.replaceChildren(made),
          () => {},
        );
        return field;
      },
      unmount() {
        frame?.remove();
        port?.close();
        frame = port = undefined;
        mounted.delete(type);
      },
      on(event, callback) {
        if (!EVENTS.includes(event)) throw new Error(`Event ${event} is not supported`);
        callbacks.set(event, [...(callbacks.get(event) ?? []), callback]);
      },
      focus: () => port?.postMessage({ does: "focus" }),
      blur: () => port?.postMessage({ does: "blur" }),
    };
    return field;
  }

  window.MercadoPago = class MercadoPago {
    constructor(publicKey, _options = {}) {
      if (typeof publicKey !== "string" || publicKey === "") throw new Error("A public key is required");
      // `randomUUID` is missing on pages without https.
      const group = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const mounted = new Map();
      this.fields = {
        create: (type, options = {}) => createField(type, options, group, mounted),
        createCardToken({ cardholderName, identificationType, identificationNumber } = {}) {
          const makeToken = mounted.get("cardNumber");
          if (!makeToken)
            return Promise.reject([{ code: "not_ready", message: "No card number is mounted" }]);
          const cardholder = {
            name: cardholderName,
            identification: { type: identificationType, number: identificationNumber },
          };
          return makeToken({ publicKey, cardholder });
        },
      };
    }
  };
})();
