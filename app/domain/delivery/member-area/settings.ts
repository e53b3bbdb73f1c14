/** The classes an item leads to; `item` is its code (`itemCode`). */
export type ItemClasses = { item: string; ids: number[] };

/** A class by the name the service gave it. */
export type NamedClass = { id: number; name: string };

/** A member area's settings. */
export type MemberSettings = {
  /** Cademí: the area's name in its address. Empty elsewhere. */
  area: string;
  /** Cademí: whether buyers' CPF or CNPJ is sent. */
  withDocument: boolean;
  /** MemberKit: which item leads to which classes. Cademí configures that on its side. */
  classes: ItemClasses[];
  /** MemberKit: the classes in the answer to the last test, to choose from in the form. */
  known: NamedClass[];
  /** Cademí: the e-mail and item of the last test. */
  test: { email: string; item: string; name: string };
};

/** Those of a new one. */
export const NO_SETTINGS: MemberSettings = {
  ...{ area: "", withDocument: false, classes: [], known: [] },
  test: { email: "", item: "", name: "" },
};
