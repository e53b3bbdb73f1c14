import { type FormProps, Form as RemixForm, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { type ForwardedRef, forwardRef } from "react";
import { ACCOUNT_FIELD } from "#app/domain/identity/access/page-account.ts";
import { useSendOnce } from "#app/ui/seller/form/send-once.ts";

/** A form of the dashboard: posted, it says whose page it is on, and it is not sent again before the answer. */
export const Form = forwardRef<HTMLFormElement, FormProps>((props, ref) =>
  props.method === "post" ? <PostForm {...props} box={ref} /> : <RemixForm {...props} ref={ref} />,
);

function PostForm({ children, box, ...props }: FormProps & { box: ForwardedRef<HTMLFormElement> }) {
  const onSubmit = useSendOnce(useNavigation(), props.onSubmit);
  return (
    <RemixForm {...props} ref={box} onSubmit={onSubmit}>
      <AccountField />
      {children}
    </RemixForm>
  );
}

/** The same for a fetcher's form. */
export function AccountField() {
  const account = useRouteLoaderData<{ account: string }>("routes/seller/layout")?.account;
  return account ? <input type="hidden" name={ACCOUNT_FIELD} value={account} /> : null;
}
