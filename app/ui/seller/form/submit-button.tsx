import { useFetcher, useFormAction, useNavigation } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { useBeforePaint } from "#app/ui/seller/form/unsaved-work.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/**
 * A form's button: while its form is being submitted it shows `pending` ('Salvando...') and ignores clicks. `intent`
 * distinguishes the buttons of one page, `item` (the form's `id` field) those of a list's rows.
 */
export function SubmitButton(props: {
  children: ReactNode;
  intent?: string;
  item?: string;
  pending?: ReactNode;
  className?: string;
  form?: string;
  action?: string;
  title?: string;
  disabled?: boolean;
  /** The key of its form's fetcher, if it is not a navigation. */
  fetcherKey?: string;
}) {
  const page = useNavigation();
  const fetcher = useFetcher({ key: props.fetcherKey ?? "none" });
  const navigation = props.fetcherKey ? fetcher : page;
  const here = useFormAction();
  const busy =
    navigation.state !== "idle" &&
    navigation.formData !== undefined &&
    (props.fetcherKey !== undefined ||
      navigation.formAction?.split("?")[0] === (props.action ?? here).split("?")[0]) &&
    (navigation.formData.get("intent") ?? undefined) === props.intent &&
    (props.item === undefined || navigation.formData.get("id") === props.item);
  const button = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  // A list's row that moved lost the focus: it gets it back before the message of the action would take it.
  useBeforePaint(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
    wasBusy.current = busy;
  });
  // A disabled button would lose it, too.
  const staysFocusable = useHydrated() && props.item !== undefined;
  const isOff = busy || (staysFocusable && props.disabled === true);
  return (
    <button
      ref={button}
      type="submit"
      form={props.form}
      title={props.title}
      disabled={!staysFocusable && props.disabled}
      {...(props.intent ? { name: "intent", value: props.intent } : {})}
      aria-disabled={isOff || undefined}
      onClick={(event) => isOff && event.preventDefault()}
      className={`btn min-h-11 ${busy ? "opacity-70" : isOff ? "opacity-30" : ""} ${props.className ?? "btn-primary"}`}
    >
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? (props.pending ?? "Salvando...") : props.children}
    </button>
  );
}
