import { createContext } from "react";

/** The nonce of this page's inline scripts for its security policy; empty in the browser, which needs none. */
export const Nonce = createContext<string | undefined>(undefined);
