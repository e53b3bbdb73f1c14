// Mercado Pago's fraud script: the page sends this as X-meli-session-id. `randomUUID` is missing on pages without https.
window.MP_DEVICE_SESSION_ID = `armor.${crypto.getRandomValues(new Uint32Array(4)).join("")}`;
