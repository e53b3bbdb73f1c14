import { createContext } from "react";

/** What this page's own inline scripts are known by, for its security policy; empty in the browser, which needs none. */
export const Nonce = createContext<string | undefined>(undefined);
