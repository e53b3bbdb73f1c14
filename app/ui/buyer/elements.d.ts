import type { DetailedHTMLProps, HTMLAttributes } from "react";

/** The custom elements of app/enhance, for JSX. React 18 passes their attributes through as written: `class`, `data-*`. */
type Custom = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & { class?: string };

declare global {
  namespace JSX {
    interface IntrinsicElements {
      "cnpj-switch": Custom;
      "copy-code": Custom;
      "expiry-clock": Custom;
      "order-total": Custom;
      "payment-watch": Custom;
      "redirect-countdown": Custom;
      "urgency-countdown": Custom;
    }
  }
}
