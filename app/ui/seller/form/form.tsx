import { type FormProps, Form as RemixForm, useRouteLoaderData } from "@remix-run/react";
import { forwardRef } from "react";
import { ACCOUNT_FIELD } from "#app/domain/identity/access/page-account.ts";

/** A form of the dashboard: posted, it says whose page it is on. */
export const Form = forwardRef<HTMLFormElement, FormProps>(({ children, ...props }, ref) => (
  <RemixForm {...props} ref={ref}>
    {props.method === "post" && <AccountField />}
    {children}
  </RemixForm>
));

/** The same for a fetcher's form. */
export function AccountField() {
  const account = useRouteLoaderData<{ account: string }>("routes/seller/layout")?.account;
  return account ? <input type="hidden" name={ACCOUNT_FIELD} value={account} /> : null;
}
