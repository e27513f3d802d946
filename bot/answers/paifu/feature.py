"""Game records (牌譜): statistics, the gallery, reports, 危険度 and 何切る."""

from bot.answers.paifu import danger, gallery, quiz, recognisers, records, report, statistics
from bot.chat.feature import Feature

FEATURE = Feature(
    name="paifu",
    specs=(
        *danger.SPECS,
        *gallery.SPECS,
        *quiz.SPECS,
        *records.SPECS,
        *report.SPECS,
        *statistics.SPECS,
    ),
    texts=(
        recognisers.recognise_pasted,
        recognisers.recognise_mahjong_soul,
        recognisers.recognise_address,
    ),
    leftover_texts=(recognisers.recognise_other_address,),
    facts=(statistics.record_facts,),
    drawings={"record": report.pages},
    files=(recognisers.recognise_file,),
)
