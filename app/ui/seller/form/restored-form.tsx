import type { SubmissionResult } from "@conform-to/react";
import { type FormProps, useLocation, useNavigation } from "@remix-run/react";
import {
  createContext,
  type FormEvent,
  type MutableRefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type Conflict, isStartingOver, SaveConflict } from "#app/ui/seller/form/save-conflict.tsx";
import {
  type LeavesWork,
  useBeforePaint,
  useReportUnsaved,
  useUnsaved,
} from "#app/ui/seller/form/unsaved-work.tsx";

/** The reply of a save that did not redirect. */
export type FormReply = SubmissionResult & {
  conflict?: Conflict;
  /** The secrets whose masks its fields show, sealed. */
  typedSecretsSealed?: string;
};

/** Whether the page's last action was this form's; otherwise its earlier reply is outdated. */
const IsLatestForm = createContext(true);
export const useIsLatestForm = () => useContext(IsLatestForm);

type Props = Omit<FormProps, "method" | "id"> & {
  id: string;
  /** The version the form was filled from; none if nothing is replaced. */
  version?: string | number | undefined;
  /** The intent of its plain save, if its page has several. */
  intent?: string;
  /** The last action's reply to this form; null if it was about something else, or succeeded. */
  reply: FormReply | null;
  /** The page that shows what is saved. */
  reload?: string | undefined;
  /** Called when this form was saved. */
  onSaved?: (() => void) | undefined;
  /** Which navigations leave the form, if not all to other URLs. */
  leaves?: LeavesWork | undefined;
  formRef?: MutableRefObject<HTMLFormElement | null>;
};

/**
 * A dashboard form that saves: it warns before unsaved input is lost by leaving, and does not overwrite what somebody else
 * saved meanwhile. Give it the key of `useRestoredForm`.
 */
export function RestoredForm(props: Props) {
  const { id, version, intent, reply, reload, onSaved, leaves, formRef, children, ...form } = props;
  const element = useRef<HTMLFormElement | null>(null);
  const saved = useRef<string>();
  // What was submitted when, so that a page rendered late is not mistaken for the reply.
  const sent = useRef<{ content: string; visit: string; reply: FormReply | null } | null>(null);
  const navigation = useNavigation();
  const { key: visit } = useLocation();
  // A form that was returned by the server has unsaved content, even before more is typed.
  const [dirty, setDirty] = useState(reply !== null);
  useReportUnsaved(id, dirty, { leaves });
  useEffect(() => {
    saved.current ??= contentOf(element.current!);
  }, []);
  const updateDirty = () =>
    setDirty(saved.current !== undefined && contentOf(element.current!) !== saved.current);
  // Adding, removing and moving rows raises no input event.
  const shown = useRef<Element[]>([]);
  useEffect(() => {
    const before = shown.current;
    shown.current = [...element.current!.elements];
    const isSame =
      before.length === shown.current.length && before.every((one, at) => one === shown.current[at]);
    if (before.length > 0 && !isSame) updateDirty();
  });
  const isIdle = navigation.state === "idle";
  useBeforePaint(() => {
    if (!isIdle || sent.current === null || sent.current.visit === visit) return;
    if (reply !== null && sent.current.reply === reply) return;
    if (reply === null) {
      saved.current = sent.current.content;
      setDirty(false);
      onSaved?.();
    }
    sent.current = null;
  }, [isIdle, visit, reply, onSaved]);
  const posted = reply?.initialValue?.version;
  return (
    <Form
      noValidate
      {...form}
      id={id}
      ref={(box) => {
        element.current = box;
        if (formRef) formRef.current = box;
      }}
      method="post"
      onInput={(event: FormEvent<HTMLFormElement>) => {
        form.onInput?.(event);
        updateDirty();
      }}
      onSubmit={(event) => {
        form.onSubmit?.(event);
        const by = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        const saves = by?.name !== "intent" || by.value === intent;
        const content = contentOf(element.current!);
        sent.current = saves && !event.defaultPrevented ? { content, visit, reply } : null;
      }}
    >
      {/* Enter triggers the plain save, whatever other buttons come first. */}
      <button
        type="submit"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        {...(intent ? { name: "intent", value: intent } : {})}
      />
      {intent && <input type="hidden" name="saves" value={intent} />}
      {/* A form that was returned still has the version it was filled from. */}
      {version !== undefined && <input type="hidden" name="version" value={String(posted ?? version)} />}
      {reply?.typedSecretsSealed && (
        <input type="hidden" name="typed_secrets" value={reply.typedSecretsSealed} />
      )}
      {reply?.conflict && <SaveConflict form={id} conflict={reply.conflict} reload={reload ?? ""} />}
      <IsLatestForm.Provider value={reply !== null}>{children}</IsLatestForm.Provider>
    </Form>
  );
}

/** The content of a form's fields, without its open tab and empty file inputs. */
function contentOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(
    ([name, value]) =>
      !["tab", "version", "saves", "test_email", "typed_secrets"].includes(name) &&
      (typeof value === "string" || value.name !== ""),
  );
  return JSON.stringify(fields);
}

/**
 * The loaded values that a form shows, and a key that refills it. Newer data replace them unless something is typed in the
 * form: saving then reports the conflict.
 */
export function useRestoredForm<T extends { version: string | number }>(id: string, loaded: T) {
  const { has } = useUnsaved();
  const [values, setValues] = useState(loaded);
  const [filled, setFilled] = useState(0);
  const { over, startsOver } = useStartedOver(id);
  const isNewer = loaded.version !== values.version && (startsOver || !has(id));
  if (isNewer) setValues(loaded);
  // Other loaded data is always current.
  const current = isNewer || loaded.version === values.version ? loaded : values;
  return {
    values: current,
    key: `${current.version}/${filled}/${over}`,
    onSaved: () => {
      setValues(loaded);
      setFilled((count) => count + 1);
    },
  };
}

/** The visit that started a form over last, and whether it just did: visits after it leave the form as it is. */
export function useStartedOver(id: string): { over: string; startsOver: boolean } {
  const { key: visit, state } = useLocation();
  const [startedOver, setStartedOver] = useState("");
  const over = isStartingOver(state, id) ? visit : startedOver;
  const startsOver = over !== startedOver;
  if (startsOver) setStartedOver(over);
  return { over, startsOver };
}
