"""Words that carry little: function words of seven languages, and English words that stand in nearly every document."""

from __future__ import annotations

_ENGLISH = """a about above after again against all almost also although always am among an and another any anyone anything are around as at
away back be because been before being below between both but by can cannot could did do does doing done down during each either
else etc even ever every few first for from further get gets give given go goes had has have having he hence her here hers
herself him himself his how however i if in into is it its itself just keep last least less let like made make makes many may me
might more most much must my myself near nearly need neither never next no nor not nothing now of off often on once one only
onto or other others our ours ourselves out over own per perhaps please put rather really said same say says see seem seems
several shall she should since so some something soon still such take than that the their theirs them themselves then there
therefore these they thing things this those though three through throughout thus to together too toward towards two under until
up upon us use used uses using very via want was way we well were what whatever when where whether which while who whoever whole
whom whose why will with within without would yes yet you your yours yourself yourselves don doesn isn aren wasn weren didn won
can't don't it's i'm that's there's we're you're"""
_GERMAN = """aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch auf aus bei beim bereits bis bin bist
da dabei dadurch daher damit dann das dass daß dein dem den denn der des deren dessen dich die dies diese diesem diesen dieser
dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwa etwas euch euer für ganz gegen gibt hab habe
haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins ist ja je jede
jedem jeden jeder jedes jedoch jene kann kein keine keinem keinen keiner können könnte machen man mehr mein meine mich mir mit
muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche
soll sollen sollte sondern sonst sowie über um und uns unser unsere unter viel vom von vor wann war waren warum was weil weiter
welche welcher welches wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum zur zwar zwischen"""
_FRENCH = """à afin ai ainsi alors au aucun aucune aujourd auquel aussi autre autres aux avait avant avec avoir ayant bien ça car ce ceci
cela celle celles celui cependant ces cet cette ceux chaque chez comme comment dans de depuis des dès deux doit donc dont du
elle elles en encore entre es est et étaient était été être eu eux fait faire font fut il ils je jusqu la là laquelle le lequel
les lesquels leur leurs lors lui ma mais me même mêmes mes mis moi moins mon ne ni non nos notre nous on ont ou où par parce
parmi pas pendant peu peut peuvent plus plusieurs pour pourquoi qu quand que quel quelle quelles quels qui sa sans se selon sera
ses si soit son sont sous sur ta te tel telle tes toi ton tous tout toute toutes très tu un une vers voici vos votre vous y"""
_SPANISH = """a al algo algunas algunos ante antes aquel aquella aquí así aun aunque bajo bien cada como con contra cual cuales cualquier
cuando cuanto de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está
estaba están estar estas este esto estos fue fueron ha había haber han hasta hay la las le les lo los más me mediante mi
mientras muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que qué quien
quienes se sea según ser si sí sido sin sino sobre son su sus también tan tanto te tener tiene tienen toda todas todo todos tras
tu un una unas uno unos y ya yo"""
_ITALIAN = """a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci come con contro cui da dagli dai dal dalla dalle degli dei
del della delle dello dentro di dopo dove due e è ed era erano essere fra già gli ha hanno ho i il in io la le lei li lo loro
lui ma me mentre mi mia mio molto ne negli nei nel nella nelle no noi non nostro o ogni oltre per perché però più poi prima può
qual quale quali quando quella quelle quelli quello questa queste questi questo qui se sei senza si sia sono sopra sotto sta
stato su sua sue sugli sul sulla suo suoi tra tu tutti tutto un una uno vi voi"""
_PORTUGUESE = """a à ao aos as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era eram essa esse esta
está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num
numa o os ou para pela pelas pelo pelos por porque qual quando que quem são se sem ser seu seus só sobre sua suas também te tem
têm ter todo todos um uma umas uns você"""
_DUTCH = """aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er geen ge haar had hebben
heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets
nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat werd wezen wie
wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou"""
_COMMON = """access act action activity add additional address amount annex answer appendix application apply approach area article author
available based basis begin best better big book business call case cause change chapter check city clear click close code
column com come comes common company complete condition contact contain contains content contents control copy country create
current data date day days default define defined department describe description design detail details develop different
document documents download easy edit effect eg email end enter entry event example examples fact false field fig figure file
files fill final find follow following follows form format found free full function general good great group hand help high home
hour hours http https id image important include included includes including increase index info information item items january
february march april june july august september october november december jan feb mar apr jun jul aug sep oct nov dec monday
tuesday wednesday thursday friday saturday sunday key kind know large late later learn left level life line link list little
local long look low main manage mean means member message method minute minutes model modern month months name names new news
note notes number numbers object old open order original page pages part parts people percent person place point possible
present press price problem process product program project provide provided provides public purpose question range read reason
receive record reference related report request require required result results return review right room row run sample save
school search second section seen select send sent series service set short show shown shows side sign simple site size small
source special specific standard start state statement step steps subject support system table task term terms test text think
third time times title today top total true try turn type types unit update user users value values version view visit week
weeks word words work world write www year years zero"""

ENGLISH_WORDS: frozenset[str] = frozenset(_ENGLISH.split())
STOP_WORDS: frozenset[str] = frozenset(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH)).split())
COMMON_WORDS: frozenset[str] = frozenset(_COMMON.split())
