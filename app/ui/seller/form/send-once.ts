import type { Navigation } from "@remix-run/react";
import { type FormEvent, type FormEventHandler, startTransition, useEffect, useRef, useState } from "react";

/** What a form is being sent for: its address, its intent, and the item of a list. */
type Sending = Pick<Navigation, "formAction" | "formData">;

/**
 * For the `onSubmit` of a form: while it is being sent, Enter pressed twice or held does not send it again. After the answer,
 * also an error, it can be sent again.
 */
export function useSendOnce(
  { formAction, formData }: Sending,
  onSubmit?: FormEventHandler<HTMLFormElement>,
): FormEventHandler<HTMLFormElement> {
  const sending = formData && keyOf(formAction ?? "", formData);
  // What was sent since the last render, which `sending` does not know yet.
  const sent = useRef<string>();
  const [rendered, setRendered] = useState({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: each submit is rendered once.
  useEffect(() => {
    sent.current = undefined;
  }, [rendered]);
  return (event) => {
    const key = keyOfEvent(event);
    if (key === sending || key === sent.current) return event.preventDefault();
    onSubmit?.(event);
    if (event.defaultPrevented) return;
    sent.current = key;
    // The router's state is rendered in a transition, too: both together.
    startTransition(() => setRendered({}));
  };
}

function keyOfEvent({ currentTarget: form, nativeEvent }: FormEvent<HTMLFormElement>): string {
  const by = (nativeEvent as SubmitEvent).submitter;
  const address = by?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  return keyOf(address, new FormData(form, by));
}

function keyOf(address: string, data: FormData): string {
  // The second is the name of conform's own buttons, which change the form and do not send it.
  const parts = ["intent", "__intent__", "id"].map((name) => data.get(name));
  return JSON.stringify([address.split(/[?#]/)[0], ...parts]);
}
