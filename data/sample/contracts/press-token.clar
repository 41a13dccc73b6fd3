;; A SIP-010 token with everything: metadata of its own, two more languages, a supply that mints and burns change.
(impl-trait .sip-010-trait.sip-010-trait)
(define-constant OWNER tx-sender)
(define-constant ERR-NOT-ALLOWED (err u401))
(define-fungible-token press)
(define-data-var token-uri (string-utf8 2048) u"data:application/json,%7B%22sip%22%3A16%2C%22name%22%3A%22Press%20Token%22%2C%22description%22%3A%22The%20sample%20token%20of%20stxpress%22%2C%22image%22%3A%22data%3Aimage%2Fsvg%2Bxml%2C%253Csvg%2520xmlns='http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg'%2520viewBox='0%25200%252032%252032'%253E%253Cpath%2520fill='%2523a8330c'%2520d='M0%25200h32v32H0z'%2F%253E%253Cpath%2520fill='%2523fff'%2520fill-rule='evenodd'%2520d='M10%25206h8a7%25207%25200%25200%25201%25200%252014h-4v6h-4zm4%25204v6h4a3%25203%25200%25200%25200%25200-6z'%2F%253E%253C%2Fsvg%253E%22%2C%22attributes%22%3A%5B%7B%22trait_type%22%3A%22text%22%2C%22value%22%3A%22letterpress%22%7D%2C%7B%22trait_type%22%3A%22empty%20text%22%2C%22value%22%3A%22%22%7D%2C%7B%22trait_type%22%3A%22whole%20number%22%2C%22display_type%22%3A%22number%22%2C%22value%22%3A1450%7D%2C%7B%22trait_type%22%3A%22fraction%22%2C%22value%22%3A0.5%7D%2C%7B%22trait_type%22%3A%22zero%22%2C%22value%22%3A0%7D%2C%7B%22trait_type%22%3A%22yes%22%2C%22value%22%3Atrue%7D%2C%7B%22trait_type%22%3A%22no%22%2C%22value%22%3Afalse%7D%5D%2C%22properties%22%3A%7B%22collection%22%3A%22Samples%22%2C%22total_supply%22%3A%221000000%22%2C%22retired%22%3Anull%7D%2C%22localization%22%3A%7B%22uri%22%3A%22data%3Aapplication%2Fjson%2C%7B%5C%22name%5C%22%3A%5C%22Press%20Token%20({locale})%5C%22%2C%5C%22properties%5C%22%3A%7B%5C%22language%5C%22%3A%5C%22{locale}%5C%22%7D%7D%22%2C%22default%22%3A%22en%22%2C%22locales%22%3A%5B%22en%22%2C%22de%22%2C%22pt-BR%22%5D%7D%7D")

(define-read-only (get-name) (ok "Press Token"))
(define-read-only (get-symbol) (ok "PRESS"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance press who)))
(define-read-only (get-total-supply) (ok (ft-get-supply press)))
(define-read-only (get-token-uri) (ok (some (var-get token-uri))))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) ERR-NOT-ALLOWED)
    (ft-transfer? press amount sender recipient)))

(define-public (mint (amount uint) (recipient principal))
  (begin
    (asserts! (is-eq tx-sender OWNER) ERR-NOT-ALLOWED)
    (ft-mint? press amount recipient)))

(define-public (burn (amount uint))
  (ft-burn? press amount tx-sender))

;; SIP-019: tells indexers to read the metadata again.
(define-public (announce)
  (begin
    (print {
      notification: "token-metadata-update",
      payload: { token-class: "ft", contract-id: (as-contract tx-sender), update-mode: "standard" }
    })
    (ok true)))

(ft-mint? press u1000000 OWNER)
