import type { Step, Trouble } from "#tests/histories-model/steps.ts";

const TROUBLE_TEXTS: Record<Trouble, string> = {
  refused: "the provider refuses",
  credentials: "the provider refuses the key",
  busy: "the provider is busy",
  nonsense: "the provider answers nonsense",
  "lost-before": "the call never arrives",
  "lost-after": "the provider does it, its answer is lost",
};

const MEANWHILE = {
  made: "made by another process",
  refused: "asked for by another process and refused",
  swept: "given up by the sweeper",
};

const BANK_DOES = {
  contest: "contests the payment of",
  accept: "accepts the dispute, and takes the payment of",
  reject: "rejects the dispute of",
};

/** Describes a step in plain text. */
export function describeStep(step: Step): string {
  const harms: string[] = [];
  if ("trouble" in step && step.trouble) harms.push(TROUBLE_TEXTS[step.trouble]);
  if ("dies" in step && step.dies !== null)
    harms.push(`our process dies before its statement or call ${step.dies + 1}`);
  return harms.length > 0 ? `${deed(step)} (${harms.join("; ")})` : deed(step);
}

function deed(step: Step): string {
  switch (step.do) {
    case "order":
      return `buyer ${step.buyer} orders`;
    case "code":
      return `the buyer of sale ${step.sale} asks for a code`;
    case "freeze":
      return `the buyer of sale ${step.sale} asks for a code; our process freezes before it hears the answer, the code is ${MEANWHILE[step.meanwhile]}, and it wakes up`;
    case "card":
      return `the buyer of sale ${step.sale} sends a card, which is ${step.answer}`;
    case "review":
      return `the provider ${step.how === "approve" ? "approves" : "declines"} the reviewed card ${step.code}`;
    case "pay":
      return `code ${step.code} is paid, ${step.amount === "right" ? "the right amount" : `${step.amount} than asked for`}`;
    case "correct":
      return `the provider corrects what was paid of code ${step.code}: the amount that was asked`;
    case "end":
      return `code ${step.code} is ${step.how} at the provider`;
    case "return":
      return `${step.part ? "part of" : "all of"} code ${step.code} is given back in the provider's own panel`;
    case "confirm":
      return "the provider carries out the refunds it accepted";
    case "news":
      return step.says === "truth"
        ? `the provider tells how code ${step.code} stands`
        : `a forger tells that code ${step.code} is ${step.says}`;
    case "press":
      return `the buyer of sale ${step.sale} says 'Já paguei'`;
    case "look":
      return `the seller presses 'Verificar agora' at sale ${step.sale}`;
    case "work":
      return "the worker does what is due";
    case "sweep":
      return "the sweeper runs";
    case "close":
      return "the closer of orders runs";
    case "remind":
      return `the reminder of sale ${step.sale} is due`;
    case "refund":
      return `the seller asks for ${step.part ? "part of" : "all of"} code ${step.code} back${step.later ? ", which the provider does later" : ""}`;
    case "record":
      return `the seller records that sale ${step.sale} was given back`;
    case "record-extra":
      return `the seller records that the extra payment of code ${step.code} was given back`;
    case "dispute":
      return `the payer's bank ${BANK_DOES[step.how]} code ${step.code}`;
    case "record-dispute":
      return `the seller enters that the dispute of sale ${step.sale} is ${step.what}`;
    case "wait":
      return `${step.seconds} seconds pass`;
  }
}
