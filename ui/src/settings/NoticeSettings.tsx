import { useId, useState } from "react";
import { areNoticesEnabled, desktop, enableNotices, type NoticePermission } from "../library/desktopNotice";
import { Toggle } from "../parts/Toggle";
import { mark, t } from "../text/language";

const reasons: Partial<Record<NoticePermission, string>> = {
  denied: mark("This browser does not let the page notify you. Allow notifications for this address in its settings, then turn this on."),
  default: mark("The browser asked and got no answer. Turn this on again to be asked once more."),
  unsupported: mark("This browser shows notifications only for pages over HTTPS or on this machine."),
  unstored: mark("This browser denies storage, so that the choice cannot be kept."),
};

/** Whether this browser tells when a long indexing ends. The browser asks on the click, never before. */
export function NoticeSettings() {
  const id = useId();
  const [on, setOn] = useState(areNoticesEnabled() && desktop.permission() === "granted");
  const [reason, setReason] = useState("");
  const turn = async (wanted: boolean) => {
    const allowed = await enableNotices(wanted);
    setOn(wanted && allowed === "granted");
    setReason(wanted ? (reasons[allowed] ?? "") : "");
  };
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2 pt-3.5">
      <div className="min-w-0 flex-1 basis-[280px]">
        <label htmlFor={id} className="font-[550]">
          {t("Notify me when a long indexing ends")}
        </label>
        <p className="mt-0.5 text-[13.5px] text-ink-2">{t("One of more than a minute, while you look at something else.")}</p>
        <p role="status" className="mt-0.5 text-[13.5px] text-bad empty:hidden">
          {t(reason)}
        </p>
      </div>
      <Toggle id={id} on={on} onChange={(wanted) => void turn(wanted)} />
    </div>
  );
}
